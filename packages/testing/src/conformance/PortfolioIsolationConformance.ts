/**
 * Isolation in a `PortfolioRepository`: two organisations have portfolios and sites with the same
 * ids.
 */
import { PortfolioNotFound, type Site, SiteNotInPortfolio, VersionMismatch } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expectPages, refused } from "./Expectations.ts"
import { portfolioMethods } from "./Methods.ts"
import { changedAt, currentPortfolio, currentSite, type RecordPorts } from "./Setup.ts"
import { forEitherTwin } from "./TwinSetup.ts"

const at = { at: changedAt }

const movedTo =
  (portfolioId: Site["portfolioId"]) =>
  (site: Site): Site =>
    site.portfolioId === portfolioId
      ? site
      : aSite({ ...site, portfolioId, updatedAt: changedAt, version: site.version + 1 })

export const portfolioIsolationCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "reads an organisation's own portfolios and totals where another one has the same ids",
    check: forEitherTwin(({ first, inFirst, moving, organisationId, second }) =>
      Effect.gen(function* () {
        const { findById, insertMany, list, listWithSites } = yield* portfolioMethods
        for (const portfolio of [first, second]) {
          assert.deepEqual(yield* findById(organisationId, portfolio.id), Option.some(portfolio), "findById")
        }
        yield* expectPages((page) => list(organisationId, {}, page), [first, second])
        const again = [aPortfolio({ ...second, name: "Again" }), aPortfolio({ ...first, name: "Again" })]
        assert.deepEqual(yield* insertMany(organisationId, again), [second, first], "a repeated insert")

        const sitesOf = ({ id }: typeof first) => [inFirst, moving].filter(({ portfolioId }) => portfolioId === id)
        const slice = (portfolio: typeof first) => ({ portfolioId: portfolio.id, portfolio, sites: sitesOf(portfolio) })
        for (const [after, expected] of [
          [null, [slice(first), slice(second)]],
          [{ portfolioId: first.id, siteId: null }, [slice(second)]],
          [{ portfolioId: first.id, siteId: moving.id }, [slice(second)]],
          [
            { portfolioId: first.id, siteId: inFirst.id },
            moving.portfolioId === first.id
              ? [{ portfolioId: first.id, portfolio: null, sites: [moving] }, slice(second)]
              : [slice(second)]
          ]
        ] as const) {
          const piece = yield* listWithSites(organisationId, { after, limit: 100 })
          assert.deepEqual(piece, { items: expected, hasMore: false }, "listWithSites")
        }
      })
    )
  },
  {
    name: "moves an organisation's own sites where another one has the same ids",
    check: forEitherTwin(({ first, free, inFirst, moving, organisationId, second }) =>
      Effect.gen(function* () {
        const { addSites, removeSites } = yield* portfolioMethods
        const out = removeSites(organisationId, first.id, [inFirst.id, free.id], at)
        const { siteIds } = yield* refused(out, SiteNotInPortfolio, "a site in no portfolio")
        assert.deepEqual(siteIds, [free.id], "the refusal names the organisation's own sites")
        yield* removeSites(organisationId, first.id, [inFirst.id], at)
        const released = movedTo(null)(inFirst)
        assert.deepEqual(yield* currentSite(inFirst), released, "what removeSites stored")
        const moved = [released, moving, free].map(movedTo(second.id))
        const ids = moved.map(({ id }) => id)
        assert.deepEqual(yield* addSites(organisationId, second.id, ids, at), moved, "the answer to addSites")
        assert.deepEqual(yield* Effect.forEach(moved, currentSite), moved, "what addSites stored")
        assert.equal((yield* currentPortfolio(second))?.siteCount, 3, "the count of the portfolio they moved to")
      })
    )
  },
  {
    name: "deletes an organisation's own portfolio where another one has the same ids",
    check: forEitherTwin(({ first, inFirst, moving, organisationId }, other) =>
      Effect.gen(function* () {
        const portfolios = yield* portfolioMethods
        const stale = { at: changedAt, expectedVersions: [other.first.version] }
        const remove = portfolios.delete(organisationId, first.id, stale)
        const { actual } = yield* refused(remove, VersionMismatch, "the version of the other portfolio")
        assert.equal(actual, first.version, "the refusal tells the version of the organisation's own portfolio")
        yield* portfolios.delete(organisationId, first.id, at)
        assert.equal(yield* currentPortfolio(first), null, "its own portfolio is gone")
        assert.deepEqual(yield* currentSite(inFirst), movedTo(null)(inFirst), "its own site is released")
        const kept = moving.portfolioId === first.id ? movedTo(null)(moving) : moving
        assert.deepEqual(yield* currentSite(moving), kept, "a site of its second portfolio stays there")
        yield* refused(portfolios.delete(organisationId, first.id, at), PortfolioNotFound, "a second delete")
        yield* refused(portfolios.addSites(organisationId, first.id, [inFirst.id], at), PortfolioNotFound, "addSites")
      })
    )
  }
]
