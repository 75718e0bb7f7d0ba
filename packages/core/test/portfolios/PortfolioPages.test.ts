import { type Page, type PortfolioSlice, pageOfSlices, type SlicePosition } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { describe, expect, it } from "vitest"

const sizes = [0, 3, 0, 0, 1, 4, 0]
const portfolios = sizes.map(() => aPortfolio())
const members = portfolios.flatMap(({ id }, index) =>
  Array.from({ length: sizes[index] ?? 0 }, () => aSite({ portfolioId: id }))
)
const sites = [aSite(), ...members]

/** The rows of the listing: a site, or a portfolio without sites. */
const rows = portfolios.flatMap(({ id: portfolioId }): ReadonlyArray<SlicePosition> => {
  const own = members.filter((site) => site.portfolioId === portfolioId)
  return own.length === 0 ? [{ portfolioId, siteId: null }] : own.map(({ id: siteId }) => ({ portfolioId, siteId }))
})

const rowsOf = (slices: ReadonlyArray<PortfolioSlice>): ReadonlyArray<SlicePosition> =>
  slices.flatMap(
    ({ portfolioId, sites: own }): ReadonlyArray<SlicePosition> =>
      own.length === 0 ? [{ portfolioId, siteId: null }] : own.map(({ id: siteId }) => ({ portfolioId, siteId }))
  )

const pieceAfter = (after: SlicePosition | null, limit: number): Page<PortfolioSlice> =>
  pageOfSlices(portfolios.toReversed(), sites.toReversed(), { after, limit }, Number.POSITIVE_INFINITY)

describe("pieces of portfolios with their sites", () => {
  it.each([1, 2, 3, 4, rows.length - 1, rows.length, rows.length + 1])("of %i rows add up to everything", (limit) => {
    const found: Array<SlicePosition> = []
    const begun: Array<string> = []
    let hasMore = true
    while (hasMore) {
      const piece = pieceAfter(found.at(-1) ?? null, limit)
      expect(rowsOf(piece.items)).toEqual(rows.slice(found.length, found.length + limit))
      found.push(...rowsOf(piece.items))
      begun.push(...piece.items.flatMap(({ portfolio }) => portfolio?.id ?? []))
      hasMore = piece.hasMore
      expect(hasMore).toBe(found.length < rows.length)
    }
    expect(begun).toEqual(portfolios.map(({ id }) => id))
    expect(pieceAfter(found.at(-1) ?? null, limit)).toEqual({ items: [], hasMore: false })
  })

  it("continue after any site, and after any whole portfolio", () => {
    for (const [index, after] of rows.entries()) {
      const { items } = pieceAfter(after, 100)
      expect(rowsOf(items)).toEqual(rows.slice(index + 1))
      for (const { portfolio, portfolioId } of items) expect(portfolio === null).toBe(portfolioId === after.portfolioId)
      const rest = pieceAfter({ portfolioId: after.portfolioId, siteId: null }, 100)
      expect(rowsOf(rest.items)).toEqual(rows.filter(({ portfolioId }) => portfolioId > after.portfolioId))
    }
  })

  it("begin portfolios with the totals of all their sites, also those of other pieces", () => {
    const { items } = pieceAfter(null, 2)
    expect(items.map(({ portfolio }) => [portfolio?.siteCount, portfolio?.capacityKw])).toEqual([
      [0, 0],
      [3, 2_250]
    ])
  })
})
