import { describe, expect, it } from "@effect/vitest"
import { type Found, foundOf, OrganisationId, PortfolioId, type Site, siteKind } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { Result } from "effect"
import { organisationReference } from "../../src/records/OrganisationReference.ts"
import { portfolioReference } from "../../src/sites/SiteKind.ts"
import {
  assumedForCreation,
  createSite,
  deleteSite,
  findsOfCreation,
  findsOfUpdate,
  saveSites,
  updateSite
} from "../../src/sites/SiteRules.ts"
import { at, organisationId, origin, stored } from "../records/deciding.ts"

/** What a load finds. */
const found = (records: {
  readonly organisation?: false
  readonly byId?: Site
  readonly byExternalId?: Site
  readonly portfolio?: PortfolioId
}): Found =>
  foundOf([
    {
      find: { kind: organisationReference, by: "id", values: [] },
      stored: records.organisation === false ? [] : [stored({ id: organisationId })]
    },
    { find: { kind: siteKind, by: "id", values: [] }, stored: records.byId ? [stored(records.byId)] : [] },
    {
      find: { kind: siteKind, by: "externalId", values: [] },
      stored: records.byExternalId ? [stored(records.byExternalId)] : []
    },
    {
      find: { kind: portfolioReference, by: "id", values: [] },
      stored: records.portfolio ? [stored({ id: records.portfolio })] : []
    }
  ])

const refusal = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure._tag : "decided"

const decided = <A>(result: Result.Result<A, unknown>): A => {
  if (Result.isFailure(result)) throw new Error("it was refused")
  return result.success
}

describe("createSite", () => {
  const site = aSite({ organisationId, externalId: "x", portfolioId: aPortfolio().id })
  const taken = aSite({ organisationId, externalId: "x" })
  const create = createSite(site, origin)

  it("stores the site with its event when nothing stands against it", () => {
    const { answer, change } = decided(create(assumedForCreation(site)))
    expect(answer).toBe(site)
    expect(change?.writes).toEqual([{ kind: siteKind, id: site.id, before: null, after: site }])
    expect(change?.events).toMatchObject([
      { type: "site.created", subjectId: site.id, changes: { siteName: { from: null, to: site.siteName } } }
    ])
  })

  it("refuses in the order organisation, portfolio, external id, and answers the stored site before the last two", () => {
    expect(refusal(create(found({ organisation: false, byExternalId: taken })))).toBe("OrganisationNotFound")
    expect(refusal(create(found({ byExternalId: taken })))).toBe("PortfolioNotFound")
    expect(refusal(create(found({ portfolio: site.portfolioId ?? undefined, byExternalId: taken } as never)))).toBe(
      "ExternalIdTaken"
    )
    const there = aSite({ ...site, siteName: "Stored" })
    expect(decided(create(found({ byId: there, byExternalId: taken })))).toEqual({ answer: there, change: null })
  })

  it("reads what it decides on", () => {
    expect(findsOfCreation(site).map(({ by, kind, values }) => [kind.name, by, values])).toEqual([
      ["organisation", "id", [site.organisationId]],
      ["site", "id", [site.id]],
      ["portfolio", "id", [site.portfolioId]],
      ["site", "externalId", ["x"]]
    ])
  })
})

describe("updateSite", () => {
  const site = aSite({ organisationId, externalId: "own", capacity: 2, unit: "MW" })
  const update = (changes: Parameters<typeof updateSite>[0]["changes"], expectedVersions?: ReadonlyArray<number>) =>
    updateSite({ organisationId, siteId: site.id, changes, at, ...(expectedVersions && { expectedVersions }) }, origin)

  it("sets members, capacityKw and version, and writes an event of those that differ", () => {
    const { answer, change } = decided(
      update({ capacity: 3, unit: "MW", siteName: site.siteName })(found({ byId: site }))
    )
    expect(answer).toEqual(aSite({ ...site, capacity: 3, capacityKw: 3_000, updatedAt: at, version: site.version + 1 }))
    expect(change?.writes[0]).toMatchObject({ before: { record: site, revision: "1" }, after: answer })
    expect(change?.events).toMatchObject([{ type: "site.updated", changes: { capacity: { from: 2, to: 3 } } }])
    expect(Object.keys(change?.events[0]?.changes ?? {})).toEqual(["capacity"])
  })

  it("changes nothing when all values are equal, in any order of members", () => {
    const labelled = aSite({ ...site, attributes: { a: 1, b: "2" }, tags: ["x"] })
    const { id, ...members } = labelled
    for (const changes of [{}, { attributes: { b: "2", a: 1 } }, { tags: ["x"] }, { siteName: members.siteName }]) {
      expect(decided(update(changes)(found({ byId: labelled }))), JSON.stringify(changes)).toEqual({
        answer: labelled,
        change: null
      })
    }
    expect(id).toBe(site.id)
  })

  it("names no member in its event when an object has the same members in another order", () => {
    const labelled = aSite({ ...site, attributes: { a: 1, b: "2" } })
    const { change } = decided(update({ attributes: { b: "2", a: 1 }, siteName: "Other" })(found({ byId: labelled })))
    expect(Object.keys(change?.events[0]?.changes ?? {})).toEqual(["siteName"])
  })

  it("refuses in the order site, portfolio, version, external id", () => {
    const portfolioId = PortfolioId.make(aPortfolio().id)
    const other = aSite({ organisationId, externalId: "taken" })
    const all = update({ portfolioId, externalId: "taken" }, [9])
    expect(refusal(all(found({ byExternalId: other })))).toBe("SiteNotFound")
    expect(refusal(all(found({ byId: site, byExternalId: other })))).toBe("PortfolioNotFound")
    expect(refusal(all(found({ byId: site, byExternalId: other, portfolio: portfolioId })))).toBe("VersionMismatch")
    const expected = update({ portfolioId, externalId: "taken" }, [site.version])
    expect(refusal(expected(found({ byId: site, byExternalId: other, portfolio: portfolioId })))).toBe(
      "ExternalIdTaken"
    )
  })

  it("keeps its own external id, and clears references with null", () => {
    expect(decided(update({ externalId: "own" })(found({ byId: site, byExternalId: site }))).change).toBeNull()
    const { answer } = decided(update({ externalId: null, portfolioId: null })(found({ byId: site })))
    expect(answer).toMatchObject({ externalId: null, portfolioId: null })
  })

  it("reads a portfolio and an external id that the change names alone", () => {
    const finds = (changes: object) =>
      findsOfUpdate({ organisationId: OrganisationId.make(organisationId), siteId: site.id, changes, at }).map(
        ({ by, kind }) => `${kind.name} ${by}`
      )
    expect(finds({ siteName: "x", portfolioId: null, externalId: null })).toEqual(["site id"])
    expect(finds({ portfolioId: aPortfolio().id, externalId: "x" })).toEqual([
      "site id",
      "portfolio id",
      "site externalId"
    ])
  })
})

describe("deleteSite", () => {
  const { id } = aSite()

  it("refuses an absent site and another version", () => {
    expect(refusal(deleteSite(id)(null))).toBe("SiteNotFound")
    expect(refusal(deleteSite(id)({ version: 2, isExpected: false }))).toBe("VersionMismatch")
    expect(refusal(deleteSite(id)({ version: 2, isExpected: true }))).toBe("decided")
  })
})

describe("saveSites", () => {
  const save = saveSites(organisationId)
  const { id: siteId } = aSite()
  const portfolioIds = [aPortfolio().id, aPortfolio().id] as const
  const conflict = { externalId: "x", takenBy: siteId }
  const against = {
    organisationFound: false,
    unplaced: [2],
    incomplete: [1, 2],
    missing: [portfolioIds[1], portfolioIds[0], portfolioIds[1]],
    taken: [conflict],
    areTooLarge: true,
    saved: []
  }

  it("refuses in the order organisation, sites without a portfolio, incomplete sites, portfolios, each once, external ids, size", () => {
    const steps = [
      {},
      { organisationFound: true },
      { unplaced: [] },
      { incomplete: [] },
      { missing: [] },
      { taken: [] }
    ]
    const refusals = steps.map((_, index) => save(Object.assign({}, against, ...steps.slice(0, index + 1))))
    expect(refusals.map((result) => (Result.isFailure(result) ? { ...result.failure } : "saved"))).toMatchObject([
      { _tag: "OrganisationNotFound", organisationId },
      { _tag: "PortfolioRequired", positions: [2] },
      { _tag: "SitesIncomplete", positions: [1, 2] },
      { _tag: "PortfoliosNotFound", portfolioIds: portfolioIds.toReversed() },
      { _tag: "ExternalIdTaken", conflicts: [conflict] },
      { _tag: "SitesTooLarge" }
    ])
  })

  it("answers the sites where nothing stands against them", () => {
    const saved = [{ result: "created" as const, site: aSite() }]
    const found = {
      organisationFound: true,
      unplaced: [],
      incomplete: [],
      missing: [],
      taken: [],
      areTooLarge: false,
      saved
    }
    expect(save(found)).toEqual(Result.succeed(saved))
  })
})
