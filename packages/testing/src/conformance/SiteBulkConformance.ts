/**
 * Bulk operations with many sites in a `SiteRepository`.
 */

import type { OrganisationId, Site, SiteSave } from "@solar-sites/core"
import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { siteMethods } from "./Methods.ts"
import { changedAt, currentPortfolio, insertOrganisation, insertPortfolio, type RecordPorts } from "./Setup.ts"

export const saveSites = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  saves: ReadonlyArray<SiteSave>,
  dryRun: boolean = false
) {
  return yield* (yield* siteMethods).saveMany(organisationId, saves, { at: changedAt, dryRun })
})

const storedSites = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  return (yield* (yield* siteMethods).list(organisationId, {}, { after: null, limit: 1_000 })).items
})

export const asNew = (site: Site): SiteSave => ({ site, changes: null })

/** A new site as `saveMany` stores it. */
export const newSite = (organisationId: OrganisationId, overrides: Partial<Site> = {}): Site =>
  aSite({ organisationId, createdAt: changedAt, updatedAt: changedAt, ...overrides })

export const siteBulkCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "saves a thousand sites in as many portfolios as given",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const portfolios = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)] as const
      const sites = Array.from({ length: 1_000 }, (_, index) =>
        newSite(organisationId, { externalId: `A-${index}`, portfolioId: portfolios[index % 2]?.id ?? null })
      )
      yield* saveSites(organisationId, sites.toReversed().map(asNew))
      const stored = yield* storedSites(organisationId)
      // The difference of a thousand sites from a hundred takes seconds to compute.
      assert.deepEqual(stored.length, sites.length, "all are stored")
      assert.deepEqual(stored, sites, "all are stored")
      const counts = yield* Effect.forEach(portfolios, currentPortfolio)
      assert.deepEqual(
        counts.map((portfolio) => portfolio?.siteCount),
        [500, 500]
      )
      const { idsByExternalId } = yield* siteMethods
      const found = yield* idsByExternalId(
        organisationId,
        sites.map(({ externalId }) => externalId ?? "")
      )
      assert.deepEqual(found, new Map(sites.map(({ externalId, id }) => [externalId, id])), "the ids of all")
      const changes = sites.map(
        ({ externalId }): SiteSave => ({
          site: null,
          changes: { externalId: externalId ?? "", portfolioId: null }
        })
      )
      const results = yield* saveSites(organisationId, changes)
      assert.deepEqual([...new Set(results.map(({ result }) => result))], ["updated"])
    })
  }
]
