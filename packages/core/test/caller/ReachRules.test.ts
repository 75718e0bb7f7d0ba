/**
 * Rules for callers that are limited to portfolios (specification, section 17).
 */
import { Caller, CurrentCaller, OrganisationId, PortfolioId, Sites, withSeededIds } from "@solar-sites/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { newSite, refusal, unknownId } from "../promises/setup.ts"
import { contentsOf, makeReach } from "./reachSetup.ts"

const codeOf = async (promise: Promise<unknown>) => {
  const error = await refusal(promise)
  return typeof error === "object" && error !== null ? Reflect.get(error, "code") : error
}

describe("sites of a limited caller", () => {
  it("are in one of its portfolios, for every id and before anything is looked up", async () => {
    await using reach = await makeReach()
    const { limited, places } = reach
    const { inside, outside } = places
    const before = await contentsOf(reach)
    expect(await codeOf(limited.sites.create(newSite))).toBe("portfolio_required")
    expect(await codeOf(limited.sites.create({ ...newSite, portfolioId: null }))).toBe("portfolio_required")
    expect(await codeOf(limited.sites.create({ ...newSite, portfolioId: outside.portfolioId }))).toBe(
      "portfolio_not_found"
    )
    for (const id of [inside.siteId, outside.siteId, unknownId]) {
      expect(await codeOf(limited.sites.update(id, { portfolioId: null }))).toBe("portfolio_required")
    }
    for (const id of [inside.portfolioId, outside.portfolioId, unknownId]) {
      expect(await codeOf(limited.portfolios.removeSites(id, [inside.siteId]))).toBe("portfolio_required")
    }
    expect(await contentsOf(reach)).toEqual(before)
  })

  it("move between its portfolios, and from no other place", async () => {
    await using reach = await makeReach()
    const { inside, outside, unplaced } = reach.places
    const other = await reach.owner.portfolios.create({ name: "Other" })
    const caller = reach.limitedTo(inside.portfolioId, other.id)
    expect(await caller.sites.update(inside.siteId, { portfolioId: other.id })).toMatchObject({ portfolioId: other.id })
    expect(await caller.portfolios.addSites(inside.portfolioId, [inside.siteId])).toMatchObject([
      { portfolioId: inside.portfolioId, version: 3 }
    ])
    for (const { siteId } of [outside, unplaced]) {
      expect(await codeOf(caller.portfolios.addSites(inside.portfolioId, [inside.siteId, siteId]))).toBe(
        "site_not_found"
      )
    }
    expect(await codeOf(caller.portfolios.addSites(outside.portfolioId, [inside.siteId]))).toBe("portfolio_not_found")
  })

  it("are out of its reach once they have moved away, and come with their past", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const { inside, outside } = places
    const history = async (siteId: string) => (await limited.events.list({ siteId })).data.map(({ type }) => type)
    expect(await history(outside.siteId)).toEqual([])
    await owner.portfolios.addSites(inside.portfolioId, [outside.siteId])
    expect(await history(outside.siteId)).toEqual([
      "site.created",
      "document.requested",
      "document.uploaded",
      "site.updated"
    ])
    expect(await limited.documents.get(outside.documentId)).toMatchObject({ siteId: outside.siteId })
    await owner.portfolios.addSites(outside.portfolioId, [outside.siteId])
    expect(await history(outside.siteId)).toEqual([])
    expect(await codeOf(limited.documents.get(outside.documentId))).toBe("document_not_found")
  })
})

describe("a bulk of a limited caller", () => {
  it("names each site that would be in no portfolio", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const { inside, outside, unplaced } = places
    const { portfolioId } = inside
    for (const dryRun of [false, true]) {
      const sites = [{ ...newSite, portfolioId }, newSite, { ...newSite, portfolioId: null }]
      await expect(limited.sites.bulk({ sites, dryRun })).rejects.toMatchObject({
        code: "portfolio_required",
        positions: [1, 2]
      })
      await expect(
        limited.sites.bulk({
          mode: "upsert",
          dryRun,
          sites: [
            { ...newSite, externalId: "a", portfolioId: null },
            { ...newSite, externalId: "b", portfolioId }
          ]
        })
      ).rejects.toMatchObject({ code: "portfolio_required", positions: [0] })
      // Only stored sites tell whether an upsert without the member creates a site.
      await owner.sites.update(inside.siteId, { externalId: "mine" })
      await owner.sites.update(outside.siteId, { externalId: "theirs" })
      await owner.sites.update(unplaced.siteId, { externalId: "free" })
      const names = ["mine", "new", "theirs", "free"]
      await expect(
        limited.sites.bulk({ mode: "upsert", dryRun, sites: names.map((externalId) => ({ ...newSite, externalId })) })
      ).rejects.toMatchObject({ code: "portfolio_required", positions: [1, 2, 3] })
    }
    const kept = await limited.sites.bulk({ mode: "upsert", sites: [{ externalId: "mine", siteName: "Renamed" }] })
    expect(kept.data).toMatchObject([{ result: "updated", site: { portfolioId, siteName: "Renamed" } }])
  })

  it("needs members of a new site that nobody else's site has for it", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    await owner.sites.update(places.outside.siteId, { externalId: "theirs" })
    const { portfolioId } = places.inside
    const faultsOf = async (externalId: string) =>
      refusal(limited.sites.bulk({ mode: "upsert", sites: [{ externalId, portfolioId }] }))
    expect(JSON.stringify(await faultsOf("theirs"))).toBe(JSON.stringify(await faultsOf("new")))
  })
})

describe("an external id", () => {
  it("that a site out of reach has is taken, by nothing that the caller is told of", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const { inside, outside } = places
    const externalId = "taken"
    await owner.sites.update(outside.siteId, { externalId })
    const { portfolioId, siteId } = inside
    const before = await contentsOf(reach)
    const site = { ...newSite, externalId, portfolioId }
    const attempts = [
      () => limited.sites.create(site),
      () => limited.sites.update(siteId, { externalId }),
      () => limited.sites.bulk({ sites: [site] }),
      () => limited.sites.bulk({ sites: [site], mode: "upsert" }),
      () => limited.sites.bulk({ sites: [site], mode: "upsert", dryRun: true })
    ]
    for (const attempt of attempts) {
      const error = await refusal(attempt())
      expect(error).toMatchObject({ code: "external_id_taken", conflicts: [{ externalId, takenBy: null }] })
      expect(JSON.stringify(error) + String(error)).not.toContain(outside.siteId)
    }
    expect(await contentsOf(reach)).toEqual(before)
    // A site in reach is named.
    const own = await owner.sites.update(siteId, { externalId: "own" })
    await expect(limited.sites.create({ ...site, externalId: "own" })).rejects.toMatchObject({
      conflicts: [{ takenBy: own.id }]
    })
  })
})

describe("scopes of a limited caller", () => {
  const scopes = ["sites:write"]

  it("come before its limit", async () => {
    await using reach = await makeReach()
    const { organisationId, places, solar } = reach
    const portfolioIds = [places.inside.portfolioId]
    const reader = solar.as({ organisationId, portfolioIds, scopes: ["sites:read"] })
    expect(await codeOf(reader.sites.create(newSite))).toBe("scope_missing")
    expect(await codeOf(reader.portfolios.create({ name: "Mine" }))).toBe("scope_missing")
    expect(await codeOf(reader.webhooks.list())).toBe("scope_missing")
    expect(await codeOf(reader.portfolios.removeSites(unknownId, [unknownId]))).toBe("scope_missing")
    const writer = solar.as({ organisationId, portfolioIds, scopes })
    expect(await codeOf(writer.sites.update(places.inside.siteId, { portfolioId: null }))).toBe("scope_missing")
  })

  it("need no further one to name a portfolio of its list", async () => {
    await using reach = await makeReach()
    const { organisationId, places, solar } = reach
    const { inside, outside } = places
    const writer = solar.as({ organisationId, portfolioIds: [inside.portfolioId], scopes })
    expect(await writer.sites.create({ ...newSite, portfolioId: inside.portfolioId })).toMatchObject({ version: 1 })
    expect(await writer.sites.update(inside.siteId, { portfolioId: inside.portfolioId })).toMatchObject({ version: 1 })
    for (const portfolioId of [outside.portfolioId, unknownId]) {
      expect(await codeOf(writer.sites.create({ ...newSite, portfolioId }))).toBe("scope_missing")
    }
    const unlimited = solar.as({ organisationId, scopes })
    expect(await codeOf(unlimited.sites.create({ ...newSite, portfolioId: inside.portfolioId }))).toBe("scope_missing")
  })
})

it("answers a repeated creation although the site is out of reach since", async () => {
  await using reach = await makeReach()
  const { inside, outside } = reach.places
  const portfolioId = PortfolioId.make(inside.portfolioId)
  const caller = new Caller({
    organisationId: OrganisationId.make(reach.organisationId),
    userId: null,
    apiKeyId: null,
    portfolioIds: [portfolioId]
  })
  const create = Sites.use((sites) => sites.create({ ...newSite, portfolioId })).pipe(
    withSeededIds(inside.siteId),
    Effect.provideService(CurrentCaller, caller),
    Effect.provide(reach.services)
  )
  const { id } = await Effect.runPromise(create)
  await reach.owner.sites.update(id, { portfolioId: outside.portfolioId, siteName: "Theirs" })
  const again = await Effect.runPromise(create)
  expect(again).toMatchObject({ id, siteName: newSite.siteName, portfolioId: inside.portfolioId, version: 1 })
})

it("manages keys within its limit alone", async () => {
  await using reach = await makeReach()
  const { inside, outside } = reach.places
  await reach.owner.apiKeys.create({ name: "All" })
  const { apiKey } = await reach.limited.apiKeys.create({ name: "More" })
  expect(apiKey.portfolioIds).toEqual([inside.portfolioId])
  expect((await reach.limited.apiKeys.list()).data).toEqual([apiKey])
  const create = (portfolioIds: ReadonlyArray<string> | null) =>
    codeOf(reach.limited.apiKeys.create({ name: "More", portfolioIds }))
  expect(await create(null)).toBe("caller_limited")
  expect(await create([outside.portfolioId])).toBe("portfolio_not_found")
})
