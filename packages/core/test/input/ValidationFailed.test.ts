import { CreateSite, type Fault, faultsOf, pointerTo, UpdateSite } from "@solar-sites/core"
import { Result, Schema, SchemaIssue } from "effect"
import { describe, expect, it } from "vitest"

const faults =
  (schema: Schema.Decoder<unknown>) =>
  (value: unknown): ReadonlyArray<Fault> => {
    const result = Schema.decodeUnknownResult(schema)(value, { errors: "all", onExcessProperty: "error" })
    return Result.isFailure(result) ? faultsOf(result.failure.issue) : []
  }
const create = faults(CreateSite)
const update = faults(UpdateSite)
const site = { siteName: "Long Meadow", capacity: 1, unit: "kW" }

const places = (found: ReadonlyArray<Fault>) => found.map(({ code, pointer }) => `${pointer} ${code}`).sort()

describe("faultsOf", () => {
  it("reports every missing member of an empty body", () => {
    expect(places(create({}))).toEqual(["/capacity required", "/siteName required", "/unit required"])
  })

  it("reports every required member of a body without members", () => {
    const empty = faults(Schema.Record(Schema.String, Schema.Never))
    expect(empty({})).toEqual([])
    expect(places(empty({ a: 1, b: null }))).toEqual(["/a unknown_member", "/b unknown_member"])
  })

  it("reports all faults at once, nested ones included, each with its pointer", () => {
    const found = create({
      siteName: "\u0000",
      capacity: -1,
      unit: "Kw",
      address: 4,
      latitude: 90.1,
      longitude: "0",
      portfolioId: "nonsense",
      siteManager: { email: "nobody", extra: 1 },
      coverImageUrl: "http://example.com/a.png",
      colour: "green"
    })
    expect(places(found)).toEqual([
      "/address invalid_type",
      "/capacity out_of_range",
      "/colour unknown_member",
      "/coverImageUrl invalid_url",
      "/latitude out_of_range",
      "/longitude invalid_type",
      "/portfolioId invalid_uuid",
      "/siteManager/email invalid_email",
      "/siteManager/extra unknown_member",
      "/siteManager/name required",
      "/siteName forbidden_character",
      "/unit invalid_value"
    ])
  })

  it("says what would be right, in words", () => {
    expect(create({ ...site, unit: "watts" })).toEqual([
      {
        pointer: "/unit",
        code: "invalid_value",
        detail: 'must be "W" or "kW" or "MW" or "GW" or "Wp" or "kWp" or "MWp" or "GWp"'
      }
    ])
    expect(create({ ...site, address: 4 })).toEqual([
      { pointer: "/address", code: "invalid_type", detail: "must be a string or null" }
    ])
  })

  it("reports the first thousand and stops there", () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`k${index}`, 0]))
    const found = create(unknown)
    expect(found.length).toBe(1_000)
    expect(found[999]).toMatchObject({ pointer: "/k999", code: "unknown_member" })
    const missing = new SchemaIssue.MissingKey(undefined)
    const issues = Array.from({ length: 1_000 }, (_, index) => new SchemaIssue.Pointer([index], missing))
    const closed = new Proxy(missing, { get: () => expect.unreachable() })
    const [first = closed, ...rest] = [...issues, closed]
    expect(faultsOf(new SchemaIssue.Composite(CreateSite.ast, [first, ...rest])).length).toBe(1_000)
  })

  it.each([[[]], [null], ["text"], [7], [true]])("names the root when the whole is %j", (value) => {
    expect(create(value)).toEqual([{ pointer: "", code: "invalid_type", detail: "must be an object" }])
  })

  it.each([
    [Number.NaN, "invalid_value"],
    [Number.POSITIVE_INFINITY, "invalid_value"],
    ["NaN", "invalid_type"],
    ["1", "invalid_type"],
    [0, "out_of_range"],
    [-0, "out_of_range"],
    [1_000_000_001, "out_of_range"]
  ])("refuses the capacity %s", (capacity, code) => {
    expect(places(create({ ...site, capacity }))).toContain(`/capacity ${code}`)
  })

  it("ignores read-only members with any value", () => {
    const returned = { id: 7, organisationId: [], createdAt: null, updatedAt: {}, version: "x", capacityKw: -1 }
    expect(create({ ...site, ...returned, siteCount: 1, sites: "many" })).toEqual([])
    expect(Schema.decodeUnknownSync(CreateSite)({ ...site, ...returned })).toEqual(site)
  })

  it("lets null clear an optional member, but not a required one", () => {
    const cleared = { address: null, latitude: null, portfolioId: null, siteManager: null, coverImageUrl: null }
    expect(update(cleared)).toEqual([])
    expect(places(update({ siteName: null, capacity: null, unit: null }))).toEqual([
      "/capacity invalid_type",
      "/siteName invalid_type",
      "/unit invalid_value"
    ])
  })

  it.each([
    "https://user@example.com/a.png",
    "https://:secret@example.com/a.png",
    "ftp://example.com/a.png",
    "//example.com/a.png",
    "a.png",
    "javascript:alert(1)",
    "",
    "https:example.com/a.png",
    "https:/example.com/a.png",
    "https:\\\\example.com\\a.png",
    "https://example.com\\@elsewhere.example/a.png",
    "https://@example.com/a.png",
    " https://example.com/a.png",
    "https://exa\nmple.com/a.png",
    "https://example.com/\0",
    "https://example.com/\ud800",
    "https://example.com/\u202egnp.a"
  ])("refuses %j as a cover image", (coverImageUrl) => {
    expect(places(create({ ...site, coverImageUrl }))).toEqual(["/coverImageUrl invalid_url"])
  })

  it.each([
    "https://example.com",
    "HTTPS://example.com:8443/a.png?b=@c#d",
    "https://bücher.example/ä b.png",
    "https://[::1]/a"
  ])("takes %s as a cover image, as it is", (coverImageUrl) => expect(create({ ...site, coverImageUrl })).toEqual([]))

  it("judges the length of a cover image address", () => {
    const coverImageUrl = `https://example.com/${"a".repeat(2_029)}`
    expect(places(create({ ...site, coverImageUrl }))).toEqual(["/coverImageUrl too_long"])
    expect(create({ ...site, coverImageUrl: coverImageUrl.slice(0, 2_048) })).toEqual([])
  })
})

describe("pointerTo", () => {
  it("escapes as RFC 6901 says", () => {
    expect(pointerTo([])).toBe("")
    expect(pointerTo(["a/b", 0, "m~n"])).toBe("/a~1b/0/m~0n")
  })
})
