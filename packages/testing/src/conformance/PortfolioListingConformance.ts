/**
 * Listing of portfolios with their sites in a `PortfolioRepository`.
 */
import type { OrganisationId, Portfolio, PortfolioId, PortfolioSlice, Site, SlicePosition } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { chunksOf } from "./Expectations.ts"
import { portfolioMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, type RecordPorts, secondsBefore } from "./Setup.ts"

/** Rows in order. `site` is null for a portfolio without sites. */
interface Row {
  readonly portfolioId: PortfolioId
  readonly portfolio: Portfolio | null
  readonly site: Site | null
}

const rowsOf = (slices: ReadonlyArray<PortfolioSlice>): ReadonlyArray<Row> =>
  slices.flatMap(
    ({ portfolio, portfolioId, sites }): ReadonlyArray<Row> =>
      sites.length === 0
        ? [{ portfolioId, portfolio, site: null }]
        : sites.map((site) => ({ portfolioId, portfolio, site }))
  )

/** The rows expected after the position; a continued portfolio is null. */
const goingOn = (rows: ReadonlyArray<Row>, after: SlicePosition | null): ReadonlyArray<Row> =>
  rows.map((row) => (row.portfolioId === after?.portfolioId ? { ...row, portfolio: null } : row))

/**
 * Inserts three portfolios with sites, and empty ones before, between and after them; returns the
 * expected rows.
 */
const setup = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const rows: Array<Row> = []
  const sizes = [0, 3, 0, 0, 1, 4, 0]
  const portfolios = yield* Effect.forEach(sizes, (_, index) =>
    insertPortfolio(organisationId, { createdAt: secondsBefore(index) })
  )
  const sites = new Map<PortfolioId, Array<Site>>(portfolios.map(({ id }) => [id, []]))
  // Alternating portfolios, so that the insertion order differs from the expected one.
  for (const round of [0, 1, 2, 3]) {
    for (const [index, { id: portfolioId }] of portfolios.entries()) {
      if (round < (sizes[index] ?? 0)) {
        sites
          .get(portfolioId)
          ?.push(yield* insertSite(organisationId, { portfolioId, createdAt: secondsBefore(round) }))
      }
    }
  }
  yield* insertSite(organisationId)
  for (const empty of portfolios) {
    const members = sites.get(empty.id) ?? []
    const portfolio = aPortfolio({ ...empty, siteCount: members.length, capacityKw: 750 * members.length })
    rows.push(...rowsOf([{ portfolioId: empty.id, portfolio, sites: members }]))
  }
  return rows
})

const positionOf = ({ portfolioId, site }: Row): SlicePosition => ({ portfolioId, siteId: site?.id ?? null })

export const portfolioListingCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lists portfolios with their sites in order, in pieces of any size that add up to everything",
    check: Effect.gen(function* () {
      const { listWithSites } = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const rows = yield* setup(organisationId)
      for (const limit of [1, 2, 3, 4, rows.length - 1, rows.length, rows.length + 1, 1_000]) {
        let after: SlicePosition | null = null
        const expected = chunksOf(rows, limit)
        for (const [index, piece] of expected.entries()) {
          const { hasMore, items }: { hasMore: boolean; items: ReadonlyArray<PortfolioSlice> } = yield* listWithSites(
            organisationId,
            { after, limit }
          )
          assert.deepEqual(
            rowsOf(items),
            goingOn(piece, after),
            `piece ${index} of ${limit} rows; an empty portfolio is a row`
          )
          const ids = items.map(({ portfolioId }) => portfolioId)
          assert.equal(new Set(ids).size, ids.length, "the sites of a portfolio are together in a piece")
          assert.equal(hasMore, index < expected.length - 1, `hasMore of piece ${index} of ${limit} rows`)
          const last: Row | undefined = piece.at(-1)
          after = last === undefined ? after : positionOf(last)
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
      const rows = yield* setup(organisationId)
      for (const [index, row] of rows.entries()) {
        const after = positionOf(row)
        const afterSite = yield* listWithSites(organisationId, { after, limit: 1_000 })
        assert.deepEqual(rowsOf(afterSite.items), goingOn(rows.slice(index + 1), after), `after row ${index}`)
        const afterAll = { portfolioId: row.portfolioId, siteId: null }
        const rest = yield* listWithSites(organisationId, { after: afterAll, limit: 1_000 })
        assert.deepEqual(
          rowsOf(rest.items),
          rows.filter(({ portfolioId }) => portfolioId > row.portfolioId),
          `after the whole portfolio of row ${index}`
        )
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
      const rows = yield* setup(yield* insertOrganisation())
      const all = yield* listWithSites(stranger, { after: null, limit: 1_000 })
      assert.deepEqual(all, { items: [{ portfolioId: own.id, portfolio: own, sites: [] }], hasMore: false })
      for (const row of rows) {
        const rest = yield* listWithSites(stranger, { after: positionOf(row), limit: 1_000 })
        assert.deepEqual(rest, { items: [], hasMore: false }, "a position is only a place in the order")
      }
    })
  }
]
