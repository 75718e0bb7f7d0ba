import { beforeAll, describe, expect, it } from "vitest"
import { endpoints } from "./Documented.ts"
import {
  ask,
  everything,
  inPaths,
  type Kind,
  kinds,
  makeResources,
  ownIds,
  places,
  requests,
  unknownIds
} from "./NamedResources.ts"
import { useServer } from "./Serving.ts"
import { aNewSite, caller, type Send, webBinding } from "./Setup.ts"

describe("isolation", () => {
  const { binding, setup } = useServer(webBinding, { rateLimitPerMinute: 0 })
  let mine: Send
  let theirs: Send
  let ids: Readonly<Record<Kind | `OWN_${Kind}`, string>>
  beforeAll(async () => {
    mine = caller(binding(), (await setup().join("Mine")).key)
    theirs = caller(binding(), (await setup().join("Theirs")).key)
    const foreign = await makeResources(setup(), theirs)
    ids = { ...ownIds(await makeResources(setup(), mine)), ...foreign }
  })

  it.each(requests)(
    "$endpoint: $line has the same response for an id of another organisation and an unknown id",
    async (request) => {
      const { line } = request
      const before = await everything(mine, theirs)
      const foreign = await ask(mine, request, ids)
      const unknown = await ask(mine, request, { ...ids, ...unknownIds })
      expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
      if (line.includes("/summary?")) expect(foreign.json.siteCount).toBe(0)
      else if (/^GET \S+\?/.test(line)) expect(foreign.json.data).toEqual([])
      else if (foreign.status === 200) expect(foreign.json.summary).toEqual({ total: 1, successful: 0, failed: 1 })
      else expect(foreign.status).toBe(404)
      expect(await everything(mine, theirs)).toEqual(before)
    }
  )

  it("covers every endpoint that takes ids in its query or body", () => {
    const covered = new Set(places.map(([endpoint]) => endpoint))
    expect(endpoints.filter(({ name, takesIds }) => takesIds && !covered.has(name))).toEqual([])
    expect(inPaths.length).toBeGreaterThan(15)
  })

  it("shows each organisation only its own resources", async () => {
    const shown = {
      "GET /api/sites": "SITE",
      "GET /api/portfolios": "PORTFOLIO",
      "GET /api/portfolios/with-sites": "SITE",
      "GET /api/me": null,
      "GET /api/docs": "DOCUMENT",
      "GET /api/docs?omRecordId=OM-1": "DOCUMENT",
      "GET /api/document-requirements": "PORTFOLIO",
      "GET /api/coverage": "SITE",
      "GET /api/events": "SITE",
      "GET /api/webhooks": "WEBHOOK"
    } as const
    for (const [line, kind] of Object.entries(shown)) {
      const [own, foreign] = [await mine(line), await theirs(line)]
      if (kind !== null) {
        expect(own.text, line).toContain(ids[`OWN_${kind}`])
        expect(foreign.text, line).toContain(ids[kind])
      }
      for (const other of kinds) {
        expect(own.text, line).not.toContain(ids[other])
        expect(foreign.text, line).not.toContain(ids[`OWN_${other}`])
      }
    }
    // A member that only the service sets carries nothing over.
    const organisationId = (await theirs("GET /api/me")).json.organisation.id
    const { json } = await mine("POST /api/sites", { body: { ...aNewSite, organisationId } })
    expect(json.organisationId).not.toBe(organisationId)
    const own = `/api/docs/${ids.OWN_DOCUMENT}`
    const before = (await mine(`GET ${own}`)).json
    const moved = await mine(`PUT ${own}`, { body: { ...before, organisationId, siteId: ids.SITE, path: "x" } })
    expect([moved.status, moved.json]).toEqual([200, before])
  })
})
