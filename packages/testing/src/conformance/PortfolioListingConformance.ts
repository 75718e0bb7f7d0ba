/**
 * Listing of portfolios with their sites in a `PortfolioRepository`, compared with the listing of core.
 */
import {
  type OrganisationId,
  type Page,
  type PortfolioSlice,
  pageOfSlices,
  type Site,
  type SlicePosition
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { portfolioMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, type RecordPorts, secondsBefore } from "./Setup.ts"

const sizes = [0, 3, 0, 0, 1, 4, 0]
/** A row is a site, or a portfolio without sites. */
const rowCount = 12

/** Inserts portfolios with and without sites, in another order than that of the list. */
const setup = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const portfolios = yield* Effect.forEach(sizes, (_, index) =>
    insertPortfolio(organisationId, { createdAt: secondsBefore(index) })
  )
  const sites: Array<Site> = [yield* insertSite(organisationId)]
  for (const round of [0, 1, 2, 3]) {
    for (const [index, { id: portfolioId }] of portfolios.entries()) {
      if (round < (sizes[index] ?? 0)) {
        sites.push(yield* insertSite(organisationId, { portfolioId, createdAt: secondsBefore(round) }))
      }
    }
  }
  const positions: ReadonlyArray<SlicePosition> = [
    ...portfolios.map(({ id }) => ({ portfolioId: id, siteId: null })),
    ...sites.flatMap(({ id, portfolioId }) => (portfolioId === null ? [] : [{ portfolioId, siteId: id }]))
  ]
  const ofCore = (after: SlicePosition | null, limit: number) =>
    pageOfSlices(portfolios, sites, { after, limit }, Number.POSITIVE_INFINITY)
  return { ofCore, positions }
})

export const portfolioListingCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lists portfolios with their sites in order, in pieces of any size that add up to everything",
    check: Effect.gen(function* () {
      const { listWithSites } = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const { ofCore } = yield* setup(organisationId)
      for (const limit of [1, 2, 3, 4, rowCount - 1, rowCount, rowCount + 1, 1_000]) {
        let after: SlicePosition | null = null
        let hasMore = true
        while (hasMore) {
          const piece: Page<PortfolioSlice> = yield* listWithSites(organisationId, { after, limit })
          assert.deepEqual(piece, ofCore(after, limit), `a piece of ${limit} rows after ${JSON.stringify(after)}`)
          const last = piece.items.at(-1)
          if (last !== undefined) after = { portfolioId: last.portfolioId, siteId: last.sites.at(-1)?.id ?? null }
          hasMore = piece.hasMore
        }
        const end = yield* listWithSites(organisationId, { after, limit })
        assert.deepEqual(end, { items: [], hasMore: false }, "nothing follows the last row")
      }
    })
  },
  {
    name: "continues after any site and after any whole portfolio",
    check: Effect.gen(function* () {
      const { listWithSites } = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const { ofCore, positions } = yield* setup(organisationId)
      for (const after of positions) {
        const rest = yield* listWithSites(organisationId, { after, limit: 1_000 })
        assert.deepEqual(rest, ofCore(after, 1_000), `after ${JSON.stringify(after)}`)
      }
    })
  },
  {
    name: "continues after a position whose site or portfolio was deleted",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [first, second] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const site = yield* insertSite(organisationId, { portfolioId: first.id })
      const after = { portfolioId: first.id, siteId: site.id }
      const rest = { items: [{ portfolioId: second.id, portfolio: second, sites: [] }], hasMore: false }
      yield* portfolios.removeSites(organisationId, first.id, [site.id], { at: changedAt })
      const emptied = yield* portfolios.listWithSites(organisationId, { after, limit: 10 })
      assert.deepEqual(emptied, rest, "a portfolio that was begun does not come again when it has no more sites")
      yield* portfolios.delete(organisationId, first.id, { at: changedAt })
      assert.deepEqual(yield* portfolios.listWithSites(organisationId, { after, limit: 10 }), rest)
    })
  },
  {
    name: "lists nothing of another organisation, whatever the position",
    check: Effect.gen(function* () {
      const { listWithSites } = yield* portfolioMethods
      const stranger = yield* insertOrganisation()
      const own = yield* insertPortfolio(stranger)
      const { positions } = yield* setup(yield* insertOrganisation())
      const all = yield* listWithSites(stranger, { after: null, limit: 1_000 })
      assert.deepEqual(all, { items: [{ portfolioId: own.id, portfolio: own, sites: [] }], hasMore: false })
      for (const after of positions) {
        const rest = yield* listWithSites(stranger, { after, limit: 1_000 })
        assert.deepEqual(rest, { items: [], hasMore: false }, "a position is only a place in the order")
      }
    })
  }
]
