import { ApiKeyStore } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { aNewSite, bindings, caller, type Ports, uploadsOf } from "./Setup.ts"

describe.each(Object.entries(bindings))("given behaviour, through %s", (_, bind) => {
  const { binding, member, send, setup } = useServer(bind)

  const newSite = async (more: object = {}) => (await send("POST /api/sites", { body: { ...aNewSite, ...more } })).json
  const newPortfolio = async () =>
    (await send("POST /api/portfolios", { body: { portfolios: [{ name: "North" }] } })).json.data[0]

  it("a valid key in Authorization is no key", async () => {
    const anonymous = caller(binding(), null)
    for (const authorization of [member().key, `Bearer ${member().key}`, `ApiKey ${member().key}`]) {
      const { headers, json, status } = await anonymous("GET /api/sites", { headers: { authorization } })
      expect([status, json.code]).toEqual([401, "api_key_missing"])
      expect(headers.get("www-authenticate")).toBe('ApiKey realm="api", header="x-api-key"')
    }
    expect((await send("GET /api/sites", { headers: { authorization: "Bearer other" } })).status).toBe(200)
  })

  it("a key without an organisation gets an error about a missing organisation id", async () => {
    const store = Context.get(setup().context, ApiKeyStore)
    const withoutOrganisation = Context.make(ApiKeyStore, {
      ...store,
      findAcrossOrganisations: (key) =>
        Effect.map(
          store.findAcrossOrganisations(key),
          Option.map((access) => ({ ...access, organisation: null }))
        )
    })
    const ports: Ports = Layer.succeedContext(Context.merge(setup().context, withoutOrganisation))
    const other = await bind(ports)
    const { json, status } = await caller(other, member().key)("GET /api/sites")
    await other.close()
    expect([status, json.code]).toEqual([403, "organisation_missing"])
    expect(json.detail).toMatch(/^Missing organisation id/)
  })

  it("portfolioId null takes a site out of its portfolio", async () => {
    const { id: portfolioId } = await newPortfolio()
    const site = await newSite({ portfolioId })
    expect(site.portfolioId).toBe(portfolioId)
    const taken = await send(`PUT /api/sites/${site.id}`, { body: { portfolioId: null } })
    expect([taken.status, taken.json.portfolioId, taken.json.version]).toEqual([200, null, 2])
    expect((await send(`GET /api/sites/${site.id}`)).json).toEqual(taken.json)
    expect((await send(`GET /api/portfolios/${portfolioId}`)).json.siteCount).toBe(0)
  })

  it("a weak entity tag in If-Match matches no version", async () => {
    const site = await newSite()
    const { documentId } = (await send("POST /api/docs/bulk-upload-url", { body: uploadsOf(site.id, "a.txt") })).json
      .results[0]
    const paths = [`sites/${site.id}`, `portfolios/${(await newPortfolio()).id}`, `docs/${documentId}`]
    for (const path of paths) {
      const before = (await send(`GET /api/${path}`)).json
      for (const tag of ['W/"1"', 'W/"1", W/"2"']) {
        const headers = { "if-match": tag }
        for (const call of [
          await send(`PUT /api/${path}`, { body: {}, headers }),
          await send(`DELETE /api/${path}`, { headers })
        ]) {
          expect([call.status, call.json?.code], path).toEqual([412, "precondition_failed"])
        }
      }
      expect((await send(`GET /api/${path}`)).json).toEqual(before)
    }
  })
})
