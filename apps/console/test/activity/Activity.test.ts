import type { Event } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { daysOf } from "../../src/activity/entries.ts"
import { filterOf, queryOf } from "../../src/activity/eventFilters.ts"
import { phraseOf } from "../../src/activity/phrases.ts"
import { subjectPath } from "../../src/activity/subjectPath.ts"
import { valueText } from "../../src/activity/valueText.ts"
import { isPattern, withLatest } from "../../src/webhooks/eventPatterns.ts"

const user = "0197a3b0-7000-7000-8000-00000000000a"
const site = "0197a3b0-7000-7000-8000-00000000000b"
const byUser = { userId: user, apiKeyId: null, keyPrefix: null }
const byService = { userId: null, apiKeyId: null, keyPrefix: null }

const eventOf = (type: Event["type"], changes: Event["changes"] = {}, actor: Event["actor"] = byUser): Event => ({
  id: "0197a3b0-7000-7000-8000-000000000001",
  sequence: 1,
  type,
  occurredAt: "2026-01-05T08:31:30.000Z",
  actor,
  subject: { type: "site", id: site, name: "Berlin Süd" },
  siteId: site,
  changes,
  requestId: null
})

const portfolioOf = (id: unknown) => `Portfolio ${id}`

const sentence = (event: Event): string => {
  const { after, before, withoutActor, withoutSubject } = phraseOf(event, portfolioOf)
  const words = [withoutActor ? "" : "Ada", before, withoutSubject ? "" : event.subject.name, after ?? ""]
  return words.filter((word) => word !== "").join(" ")
}

const changed = (...members: ReadonlyArray<string>) =>
  Object.fromEntries(members.map((member) => [member, { from: 1, to: 2 }]))

describe("sentences about events", () => {
  it.each([
    [eventOf("site.created"), "Ada created the site Berlin Süd"],
    [eventOf("site.updated", { portfolioId: { from: "S", to: "X" } }), "Ada moved Berlin Süd to Portfolio X"],
    [eventOf("site.updated", { portfolioId: { from: null, to: "X" } }), "Ada put Berlin Süd into Portfolio X"],
    [eventOf("site.updated", { portfolioId: { from: "X", to: null } }), "Ada took Berlin Süd out of Portfolio X"],
    [eventOf("site.updated", changed("capacity", "portfolioId")), "Ada changed capacity and portfolio of Berlin Süd"],
    [
      eventOf("site.updated", changed("capacity", "unit", "address", "tags")),
      "Ada changed capacity, unit and 2 more fields of Berlin Süd"
    ],
    [eventOf("document.updated", changed("omRecordId")), "Ada changed O&M record of Berlin Süd"],
    [eventOf("webhook.updated"), "Ada changed the webhook Berlin Süd"],
    [eventOf("document.replaced"), "Ada replaced Berlin Süd by a new revision"],
    [eventOf("document.failed"), "Ada rejected Berlin Süd"],
    [eventOf("user.logged_in"), "Ada logged in"],
    [eventOf("user.login_failed"), "A login as Berlin Süd failed"]
  ])("%#", (event, expected) => expect(sentence(event)).toBe(expected))

  it("name the service in its own words, and a user who joins", () => {
    const phrase = (event: Event) => phraseOf(event, portfolioOf).before
    expect(phrase(eventOf("document.uploaded", {}, byService))).toBe("received")
    const joined = { ...eventOf("user.created"), subject: { type: "user", id: user, name: "Ada" } } as const
    expect(phrase(joined)).toBe("joined the organisation")
  })

  it("link to subjects that exist", () => {
    expect(subjectPath(eventOf("site.updated"))).toBe(`/sites/${site}`)
    expect(subjectPath(eventOf("site.deleted"))).toBeUndefined()
  })
})

describe("lines of the activity", () => {
  const ofDocument = (type: Event["type"], id: string, actor: Event["actor"] = byUser, siteId = site): Event => ({
    ...eventOf(type, {}, actor),
    id: `${type} ${id}`,
    subject: { type: "document", id, name: `${id}.pdf` },
    siteId
  })
  const linesOf = (events: ReadonlyArray<Event>) =>
    daysOf(events, () => "Today").flatMap(({ entries }) =>
      entries.map(({ event, events }) => [event.type, event.actor.userId, events.length])
    )

  it("are one per upload, by the person who has requested it", () => {
    expect(
      linesOf([
        ofDocument("document.approved", "a"),
        ofDocument("document.uploaded", "a", byService),
        ofDocument("document.reissued", "a"),
        ofDocument("document.requested", "a")
      ])
    ).toEqual([
      ["document.approved", user, 1],
      ["document.uploaded", user, 1]
    ])
    // Without the request, which may be on an older page.
    expect(linesOf([ofDocument("document.uploaded", "a", byService)])).toEqual([["document.uploaded", null, 1]])
    expect(linesOf([ofDocument("document.requested", "a")])).toEqual([["document.requested", user, 1]])
    // A file that is requested again after its arrival is another upload.
    expect(
      linesOf([ofDocument("document.requested", "a"), ofDocument("document.uploaded", "a", byService)])
    ).toHaveLength(2)
  })

  it("are one per person, site and kind of change", () => {
    expect(
      linesOf([
        ofDocument("document.approved", "b"),
        ofDocument("document.uploaded", "b", byService),
        ofDocument("document.approved", "a"),
        ofDocument("document.uploaded", "a", byService),
        ofDocument("document.requested", "b"),
        ofDocument("document.requested", "a"),
        ofDocument("document.approved", "c", byUser, "elsewhere")
      ])
    ).toEqual([
      ["document.approved", user, 2],
      ["document.uploaded", user, 2],
      ["document.approved", user, 1]
    ])
    const created = ["1", "2", "3"].map((id) => ({ ...eventOf("site.created"), id, siteId: id }))
    expect(linesOf(created)).toEqual([["site.created", user, 3]])
    const logins = ["1", "2"].map((id) => ({ ...eventOf("user.logged_in"), id }))
    expect(linesOf(logins)).toEqual([["user.logged_in", user, 2]])
    const changes = ["1", "2"].map((id) => ({ ...eventOf("site.updated"), id }))
    expect(linesOf(changes)).toHaveLength(2)
  })
})

describe("days of the activity", () => {
  it("have the newest lines, however many events those stand for", () => {
    const logins = ["1", "2", "3"].map((id) => ({ ...eventOf("user.logged_in"), id }))
    const changes = ["4", "5", "6"].map((id) => ({ ...eventOf("site.updated"), id }))
    const dayOf = ({ id }: Event) => (id < "5" ? "Today" : "Yesterday")
    const countsOf = (most: number) =>
      daysOf([...logins, ...changes], dayOf, most).map(({ day, entries }) => [day, entries.length])
    expect(countsOf(3)).toEqual([
      ["Today", 2],
      ["Yesterday", 1]
    ])
    expect(countsOf(2)).toEqual([["Today", 2]])
  })
})

describe("values of changed fields", () => {
  const requirement = { documentType: "insurance", validityRequired: true, portfolioId: null, expiringWithinDays: 30 }
  it.each([
    ["capacity", 1_234.5, "1,234.5"],
    ["sizeBytes", 1_024, "1 KiB"],
    ["address", null, "–"],
    ["enabled", false, "No"],
    ["portfolioId", "X", "Portfolio X"],
    ["status", "uploaded", "To be reviewed"],
    ["reason", "code", "Wrong code"],
    ["validUntil", "2027-01-01", "1 Jan 2027"],
    ["tags", ["roof", "2026"], "roof, 2026"],
    ["siteManager", { name: "Ada", email: null, phone: "1" }, "Name: Ada\nphone: 1"],
    [
      "requirements",
      [requirement, { ...requirement, portfolioId: "X" }],
      `Kind: Insurance, End date required: Yes, Expiring within days: 30
Kind: Insurance, End date required: Yes, Portfolio: Portfolio X, Expiring within days: 30`
    ]
  ])("%s %j", (member, value, text) => expect(valueText(member, value, portfolioOf)).toBe(text))
})

describe("filters of the activity", () => {
  it("are conditions of the feed, days as instants of the reader's time zone", () => {
    const filter = filterOf(
      new URLSearchParams({ about: "api-keys", actor: user, from: "2026-03-01", to: "2026-03-31", site })
    )
    expect(filter).toEqual({
      type: ["api_key.*"],
      actorId: user,
      siteId: site,
      from: new Date(2026, 2, 1).toISOString(),
      to: new Date(2026, 3, 1).toISOString()
    })
    expect(new URLSearchParams(queryOf(filter)).getAll("type")).toEqual(["api_key.*"])
  })

  it("ignore what they do not understand", () => {
    expect(filterOf(new URLSearchParams({ about: "toString", from: "yesterday", to: "2026-3-1" }))).toEqual({})
  })
})

describe("events of a webhook", () => {
  it.each([
    [["*", "document.*"], ["document.*"]],
    [["document.*", "*"], ["*"]],
    [
      ["site.*", "document.uploaded", "document.*"],
      ["site.*", "document.*"]
    ],
    [
      ["document.*", "site.created", "document.uploaded"],
      ["site.created", "document.uploaded"]
    ],
    [[], []]
  ])("%j become %j", (chosen, expected) => expect(withLatest(chosen)).toEqual(expected))

  it("are known types and kinds", () => {
    expect(["*", "user.*", "api_key.rotated"].every(isPattern)).toBe(true)
    expect(["user", "nothing.*", "site.renamed"].some(isPattern)).toBe(false)
  })
})
