/**
 * Concurrent moves of sites, and deletions.
 */

import { PortfolioNotFound, SiteNotFound, SiteNotInPortfolio } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { race, repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import { twoPortfolios } from "./PortfolioSetup.ts"
import { changedAgainAt, changedAt, currentPortfolio, currentSite, type RecordPorts } from "./Setup.ts"

const at = { at: changedAt }

export const portfolioConcurrencyCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "leaves every site in exactly one portfolio when two ask for the same sites in opposite order",
    check: repeatedly(
      Effect.gen(function* () {
        const { addSites } = yield* portfolioMethods
        const { ascending, descending, one, organisationId, sites, two } = yield* twoPortfolios
        const [first, second] = yield* race(
          addSites(organisationId, one.id, ascending, at),
          addSites(organisationId, two.id, descending, at)
        )
        const unhindered = "neither is refused, and there is no deadlock"
        for (const [moved, portfolio, asked] of [
          [succeeded(first, unhindered), one, ascending],
          [succeeded(second, unhindered), two, descending]
        ] as const) {
          const answered = moved.map(({ id, portfolioId }) => [id, portfolioId])
          assert.deepEqual(
            answered,
            asked.map((id) => [id, portfolio.id]),
            "each answers the state it made"
          )
        }
        const now = yield* Effect.forEach(sites, currentSite)
        assert.deepEqual(
          now.map((site) => site?.version),
          sites.map(() => 3),
          "both moves count, for every site"
        )
        const portfolios = yield* Effect.forEach([one, two], currentPortfolio)
        const counted = portfolios.map((portfolio) => portfolio?.siteCount)
        const placed = [one, two].map(({ id }) => now.filter((site) => site?.portfolioId === id).length)
        assert.deepEqual(counted, placed, "a site counts where it is")
        assert.deepEqual(placed.toSorted(), [0, sites.length], "a bulk move is one step: the later one has them all")
      })
    )
  },
  {
    name: "leaves no site in a portfolio that is deleted while sites are added",
    check: repeatedly(
      Effect.gen(function* () {
        const portfolios = yield* portfolioMethods
        const { descending, one, organisationId, sites } = yield* twoPortfolios
        const [added, deleted] = yield* race(
          portfolios.addSites(organisationId, one.id, descending, at),
          portfolios.delete(organisationId, one.id, { at: changedAgainAt })
        )
        succeeded(deleted, "the portfolio can be deleted")
        const isAdded = succeededOrRefused(added, PortfolioNotFound, "adding came too late for the portfolio")
        const now = yield* Effect.forEach(sites, currentSite)
        assert.deepEqual(
          now.map((site) => [site?.portfolioId, site?.version]),
          sites.map(() => [null, isAdded ? 3 : 1]),
          "all sites were added and released, or never touched"
        )
        assert.equal(yield* currentPortfolio(one), null)
      })
    )
  },
  {
    name: "adds all sites or none while one of them is deleted",
    check: repeatedly(
      Effect.gen(function* () {
        const { addSites } = yield* portfolioMethods
        const sites = yield* siteMethods
        const { ascending, one, organisationId, sites: stored } = yield* twoPortfolios
        const [, , third] = ascending
        if (third === undefined) return
        const [added, deleted] = yield* race(
          addSites(organisationId, one.id, ascending, at),
          sites.delete(organisationId, third)
        )
        succeeded(deleted, "the site can be deleted")
        const isAdded = succeededOrRefused(added, SiteNotFound, "a site is missing")
        const rest = (yield* Effect.forEach(stored, currentSite)).flatMap((site) => site ?? [])
        assert.deepEqual(
          rest.map(({ portfolioId }) => portfolioId),
          stored.slice(1).map(() => (isAdded ? one.id : null)),
          "all of the others, or none"
        )
      })
    )
  },
  {
    name: "lets one of two concurrent removals succeed, and none of them in part",
    check: repeatedly(
      Effect.gen(function* () {
        const { addSites, removeSites } = yield* portfolioMethods
        const { ascending, descending, one, organisationId, sites } = yield* twoPortfolios
        yield* addSites(organisationId, one.id, ascending, at)
        const results = yield* race(
          removeSites(organisationId, one.id, ascending, at),
          removeSites(organisationId, one.id, descending.slice(0, 3), at)
        )
        const [all, some] = results.map((result) =>
          succeededOrRefused(result, SiteNotInPortfolio, "the other was first")
        )
        assert.notEqual(all, some, "one of them finds its sites, the other does not")
        const now = yield* Effect.forEach(sites, currentSite)
        const left = now.filter((site) => site?.portfolioId === one.id).length
        assert.equal(left, all ? 0 : 2, "a refused removal takes nothing out")
      })
    )
  }
]
