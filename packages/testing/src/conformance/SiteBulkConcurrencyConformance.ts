/**
 * Concurrent bulk operations of a `SiteRepository`.
 */

import { PortfoliosNotFound, SiteNotFound, type SiteSave } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { race, repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "./Setup.ts"
import { asNew, newSite, saveSites, storedSites } from "./SiteBulkConformance.ts"

const atOnce = { concurrency: "unbounded" } as const

export const siteBulkConcurrencyCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "stores one site per external id when concurrent calls save the same in any order",
    check: repeatedly(
      Effect.gen(function* () {
        const organisationId = yield* insertOrganisation()
        const externalIds = Array.from({ length: 20 }, (_, index) => `A-${index}`)
        const upserts = (ids: ReadonlyArray<string>, siteName: string) =>
          saveSites(
            organisationId,
            ids.map((externalId) => ({
              site: newSite(organisationId, { externalId, siteName }),
              changes: { externalId, siteName }
            }))
          )
        const calls = [externalIds, externalIds.toReversed(), externalIds, externalIds.toReversed()]
        const answers = yield* Effect.forEach(calls, (ids, index) => upserts(ids, `Name ${index}`), atOnce)
        const sites = yield* storedSites(organisationId)
        assert.deepEqual(sites.map(({ externalId }) => externalId).sort(), [...externalIds].sort(), "one site each")
        for (const { externalId, version } of sites) {
          const results = answers.flat().filter(({ site }) => site.externalId === externalId)
          const versions = results.map(({ site }) => site.version).sort()
          assert.deepEqual(versions, [1, 2, 3, 4], "each call makes a version of its own")
          assert.equal(version, 4, "no change is lost")
          assert.equal(results.filter(({ result }) => result === "created").length, 1, "one call created it")
        }
      })
    )
  },
  {
    name: "runs beside updates, moves and deletions of the same sites",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const { id: portfolioId } = yield* insertPortfolio(organisationId)
        const there = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (index) =>
          insertSite(organisationId, { externalId: `A-${index}` })
        )
        const [removed, moved] = [there[0], there[1]]
        assert.ok(removed && moved)
        const upserts = there.toReversed().map(
          ({ externalId }): SiteSave => ({
            site: newSite(organisationId, { externalId, portfolioId }),
            changes: { externalId: externalId ?? "", siteName: "Saved", portfolioId }
          })
        )
        const results = yield* Effect.all(
          [
            Effect.result(saveSites(organisationId, upserts)),
            Effect.result(sites.delete(organisationId, removed.id)),
            Effect.result(sites.update(organisationId, moved.id, { externalId: "B" }, { at: changedAt })),
            Effect.result(
              portfolios.addSites(
                organisationId,
                portfolioId,
                there.map(({ id }) => id),
                { at: changedAt }
              )
            )
          ],
          atOnce
        )
        succeeded(results[0], "the bulk operation")
        succeeded(results[1], "the deletion finds its site")
        succeeded(results[2], "the update finds its site")
        succeededOrRefused(results[3], SiteNotFound, "the move finds its sites, or one is deleted")
        const after = yield* storedSites(organisationId)
        const taken = after.map(({ externalId }) => externalId)
        assert.equal(new Set(taken).size, taken.length, "no external id is there twice")
      })
    )
  },
  {
    name: "saves no site into a portfolio that is deleted meanwhile",
    check: repeatedly(
      Effect.gen(function* () {
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const portfolio = yield* insertPortfolio(organisationId)
        const site = newSite(organisationId, { portfolioId: portfolio.id })
        const [saved, deleted] = yield* race(
          saveSites(organisationId, [asNew(site)]),
          portfolios.delete(organisationId, portfolio.id, { at: changedAgainAt })
        )
        succeeded(deleted, "the portfolio can be deleted")
        const isSaved = succeededOrRefused(saved, PortfoliosNotFound, "the bulk operation is too late")
        const now = yield* currentSite(site)
        assert.equal(now !== null, isSaved, "a saved site is there")
        assert.equal(now?.portfolioId ?? null, null, "no site points at what is gone")
      })
    )
  }
]
