/**
 * Totals, requirements, events and cursors of callers that are limited to portfolios (specification, section 17).
 */
import { describe, expect, it } from "vitest"
import { newSite } from "../promises/setup.ts"
import { makeReach } from "./reachSetup.ts"

describe("what a limited caller reads", () => {
  it("has complete totals of its portfolios", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    await owner.sites.create({ ...newSite, portfolioId: places.inside.portfolioId })
    const whole = await owner.portfolios.get(places.inside.portfolioId)
    expect(whole).toMatchObject({ siteCount: 2 })
    expect(await limited.portfolios.get(places.inside.portfolioId)).toEqual(whole)
    expect((await limited.portfolios.list()).data).toEqual([whole])
    expect((await limited.portfolios.listWithSites()).data).toMatchObject([{ ...whole, sites: [{}, {}] }])
  })

  it("has requirements of all sites and of its portfolios, in the version of the whole list", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const ofAll = { documentType: "insurance", portfolioId: null } as const
    const [own, other] = [places.inside, places.outside].map(
      ({ portfolioId }) => ({ documentType: "ppa", portfolioId }) as const
    )
    if (own === undefined || other === undefined) throw new Error("no places")
    await owner.requirements.replace({ requirements: [other, ofAll, own] })
    const found = await limited.requirements.get()
    expect(found).toMatchObject({ version: 1, requirements: [ofAll, own] })
    expect(await limited.coverage.summary()).toMatchObject({
      siteCount: 1,
      documentTypes: [{ documentType: "insurance" }, { documentType: "ppa" }]
    })
  })

  it("names no other portfolio in events, and no other kind of event", async () => {
    await using reach = await makeReach()
    const { limited, owner, places, solar, organisationId } = reach
    const { inside, outside, unplaced } = places
    await owner.portfolios.addSites(inside.portfolioId, [outside.siteId, unplaced.siteId])
    await solar.as({ organisationId, userId: "user-1" }).apiKeys.create({ name: "Key" })
    await owner.requirements.replace({ requirements: [{ documentType: "epc" }] })
    const events = (await limited.events.list()).data
    expect(new Set(events.map(({ subject }) => subject.type))).toEqual(new Set(["site", "portfolio", "document"]))
    expect(events.filter(({ subject }) => subject.type === "portfolio").map(({ subject }) => subject.id)).toEqual([
      inside.portfolioId
    ])
    const moves = events.flatMap(({ changes, type }) => (type === "site.updated" ? [changes["portfolioId"]] : []))
    expect(moves).toEqual([
      { from: null, to: inside.portfolioId },
      { from: null, to: inside.portfolioId }
    ])
    const creations = events.flatMap(({ changes, subject, type }) =>
      type === "site.created" && subject.id === outside.siteId ? [changes["portfolioId"]] : []
    )
    expect(creations).toEqual([{ from: null, to: null }])
    // The actor is shown.
    expect(events.every(({ actor }) => actor.userId === "user-1")).toBe(true)
  })

  it("keeps the events of a deleted site with its last portfolio", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const typesOf = async (siteId: string) => (await limited.events.list({ siteId })).data.map(({ type }) => type)
    const { inside, outside, unplaced } = places
    await owner.sites.delete(inside.siteId)
    expect(await typesOf(inside.siteId)).toEqual([
      "site.created",
      "document.requested",
      "document.uploaded",
      "site.deleted",
      "document.deleted"
    ])
    for (const { siteId } of [outside, unplaced]) {
      await owner.sites.delete(siteId)
      expect(await typesOf(siteId)).toEqual([])
    }
  })

  it("goes on from a cursor of a caller with another limit", async () => {
    await using reach = await makeReach()
    const { limited, owner, places } = reach
    const first = await owner.sites.list({ limit: 2 })
    const later = await owner.sites.create({ ...newSite, portfolioId: places.inside.portfolioId })
    expect((await limited.sites.list({ cursor: first.nextCursor ?? "" })).data.map(({ id }) => id)).toEqual([later.id])
    const own = await limited.events.list({ limit: 2 })
    const others = await owner.events.list({ cursor: own.nextCursor ?? "" })
    expect(others.data.length).toBeGreaterThan((await limited.events.list()).data.length - 2)
  })

  it("is the whole organisation for a caller of another one with the same portfolios", async () => {
    await using reach = await makeReach()
    const { places, solar } = reach
    const { organisation } = await reach.newUser()
    const caller = solar.as({ organisationId: organisation.id, portfolioIds: [places.inside.portfolioId] })
    expect((await caller.portfolios.list()).data).toEqual([])
    expect((await caller.sites.list()).data).toEqual([])
  })
})
