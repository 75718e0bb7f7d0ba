/**
 * Keys that are limited to a portfolio, at each operation: what is outside answers as what is absent.
 */
import { apiScopes, PortfolioId } from "@solar-sites/core"
import { beforeAll, describe, expect, it } from "vitest"
import { ask, everything, type Kind, makeResources, ownIds, requests, unknownIds } from "./NamedResources.ts"
import { useServer } from "./Serving.ts"
import { aNewSite, caller, type Send, webBinding } from "./Setup.ts"

type Ids = Readonly<Record<Kind, string>>

/** Refusals that depend on no id. */
const isLimit = (code: unknown) => code === "caller_limited" || code === "portfolio_required"

const conditions = [
  {},
  { "if-match": '"77"' },
  { "if-none-match": '"1"' },
  { accept: "text/csv, application/json;q=0.5" }
] as const

describe("a key that is limited to a portfolio", () => {
  const { binding, setup } = useServer(webBinding, { rateLimitPerMinute: 0 })
  let owner: Send
  let stranger: Send
  let limited: Send
  /** Sends with a key that has these scopes. */
  let withScopes: (...scopes: ReadonlyArray<(typeof apiScopes)[number]>) => Promise<Send>
  let inside: Ids
  let outside: Ids
  let foreign: Ids

  beforeAll(async () => {
    const [mine, theirs] = [await setup().join("Mine"), await setup().join("Theirs")]
    owner = caller(binding(), mine.key)
    stranger = caller(binding(), theirs.key)
    outside = await makeResources(setup(), owner)
    inside = await makeResources(setup(), owner)
    foreign = await makeResources(setup(), stranger)
    const portfolioIds = [PortfolioId.make(inside.PORTFOLIO)]
    withScopes = async (...scopes) => caller(binding(), await setup().newKey(mine, { portfolioIds, scopes }))
    limited = await withScopes(...apiScopes)
  })

  it.each(requests)("$endpoint: $line answers the same for ids outside, of others, and of nothing", async (request) => {
    const before = await everything(owner, stranger)
    for (const headers of conditions) {
      const answerFor = async (ids: Ids) => {
        const answer = await ask(limited, request, { ...ownIds(inside), ...ids }, headers)
        const shown = ["etag", "content-type", "location", "retry-after"].map((name) => answer.headers.get(name))
        return { ...answer, told: [answer.status, answer.text, ...shown] }
      }
      const unknown = await answerFor(unknownIds)
      expect((await answerFor(outside)).told).toEqual(unknown.told)
      expect((await answerFor(foreign)).told).toEqual(unknown.told)
      for (const id of Object.values(outside)) expect(unknown.text).not.toContain(id)
      if (isLimit(unknown.json?.code)) expect(unknown.status).toBe(403)
      else if (unknown.status !== 200) expect([400, 404, 406, 412]).toContain(unknown.status)
    }
    expect(await everything(owner, stranger)).toEqual(before)
  })

  it.each(["sites", "portfolios/with-sites", "portfolios", "docs", "document-requirements", "coverage", "events"])(
    "lists %s of its portfolio alone, with a cursor of any caller",
    async (path) => {
      const own = path === "sites" || path === "coverage" ? inside.SITE : inside.PORTFOLIO
      const { text } = await limited(`GET /api/${path}`)
      expect(text).toContain(path === "docs" ? inside.DOCUMENT : own)
      for (const id of [...Object.values(outside), ...Object.values(foreign)]) expect(text).not.toContain(id)
      if (path === "document-requirements") return
      const first = await owner(`GET /api/${path}?limit=1`)
      const next = await limited(`GET /api/${path}?limit=1&cursor=${first.json.nextCursor}`)
      expect(next.status).toBe(200)
      for (const id of Object.values(outside)) expect(next.text).not.toContain(id)
    }
  )

  it("exports sites and coverage of its portfolio alone as CSV", async () => {
    for (const path of ["sites", "coverage"]) {
      const { text } = await limited(`GET /api/${path}`, { headers: { accept: "text/csv" } })
      expect(text).toContain(inside.SITE)
      expect(text).not.toContain(outside.SITE)
    }
  })

  it("is not told which site outside has an external id", async () => {
    const externalId = "E-1"
    await owner(`PUT /api/sites/${outside.SITE}`, { body: { externalId } })
    const site = { ...aNewSite, externalId, portfolioId: inside.PORTFOLIO }
    const refused = [
      await limited("POST /api/sites", { body: site }),
      await limited(`PUT /api/sites/${inside.SITE}`, { body: { externalId } })
    ]
    for (const { json, status, text } of refused) {
      expect([status, json.code]).toEqual([409, "external_id_taken"])
      expect(json.conflicts).toEqual([{ externalId, takenBy: null }])
      expect(text).not.toContain(outside.SITE)
    }
    for (const mode of ["create", "upsert"]) {
      for (const dryRun of [true, false]) {
        const { status, text } = await limited("POST /api/sites/bulk", { body: { mode, dryRun, sites: [site] } })
        expect([status, text.includes("external_id_taken")]).toEqual([409, true])
        expect(text).not.toContain(outside.SITE)
      }
    }
    expect((await owner(`GET /api/sites/${outside.SITE}`)).json).toMatchObject({ externalId, version: 2 })
  })

  it("is refused what is about the whole organisation, after scopes and before the body", async () => {
    const unread = { body: "{", headers: { "content-type": "text/plain" } }
    const lines = [
      ["POST /api/portfolios", "portfolios:write"],
      ["PUT /api/document-requirements", "requirements:write"],
      ["POST /api/webhooks", "webhooks:write"],
      ["PUT /api/webhooks/WEBHOOK", "webhooks:write"],
      ["DELETE /api/webhooks/WEBHOOK", "webhooks:write"],
      ["GET /api/webhooks", "webhooks:read"],
      ["GET /api/webhooks/WEBHOOK/deliveries", "webhooks:read"]
    ] as const
    for (const [line, scope] of lines) {
      const others = await withScopes(...apiScopes.filter((one) => one !== scope))
      for (const id of [inside.WEBHOOK, foreign.WEBHOOK, "no-id"]) {
        const named = line.replace("WEBHOOK", id)
        const call = line.startsWith("GET") ? {} : unread
        expect((await limited(named, call)).json.code).toBe("caller_limited")
        expect((await others(named, call)).json.code).toBe("scope_missing")
      }
    }
    const removal = `DELETE /api/portfolios/${inside.PORTFOLIO}/sites`
    expect((await limited(removal, unread)).json.code).toBe("portfolio_required")
  })

  it("needs a portfolio for a new site, after the schema and before look-ups", async () => {
    const unplaced = { ...aNewSite, capacity: "much" }
    expect((await limited("POST /api/sites", { body: unplaced })).json.code).toBe("validation_failed")
    expect((await limited("POST /api/sites", { body: aNewSite })).json.code).toBe("portfolio_required")
    const { json } = await limited("POST /api/sites/bulk", {
      body: { sites: [aNewSite, aNewSite] }
    })
    expect(json).toMatchObject({
      code: "portfolio_required",
      errors: [{ pointer: "/sites/0/portfolioId" }, { pointer: "/sites/1/portfolioId" }]
    })
    for (const id of [inside.SITE, outside.SITE, "no-id"]) {
      const { json } = await limited(`PUT /api/sites/${id}`, { body: { portfolioId: null } })
      expect(json.code).toBe("portfolio_required")
    }
    // To name a portfolio of its list, it needs no scope for portfolios.
    const writer = await withScopes("sites:write")
    const { status } = await writer(`PUT /api/sites/${inside.SITE}`, { body: { portfolioId: inside.PORTFOLIO } })
    expect(status).toBe(200)
  })
})
