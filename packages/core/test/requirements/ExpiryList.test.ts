import { describe, expect, it } from "@effect/vitest"
import { CalendarDate, type ExpiryItem, expirySections } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { pageOfSelection, selectionAfter, withItems } from "../../src/requirements/ExpiryList.ts"

const portfolio = (portfolioName: string) => ({ portfolioId: aPortfolio().id, portfolioName })
const [east, north, none] = [portfolio("east"), portfolio("North"), { portfolioId: null, portfolioName: null }]

const item = (
  place: Pick<ExpiryItem, "portfolioId" | "portfolioName">,
  state: ExpiryItem["state"],
  validUntil: string | null,
  siteName = "Long Meadow"
): ExpiryItem => ({
  siteId: aSite().id,
  siteName,
  ...place,
  documentType: "insurance",
  state,
  documentId: null,
  validUntil: validUntil === null ? null : CalendarDate.make(validUntil)
})

/** In the order of the list. */
const all = [
  item(east, "expired", "2026-11-02"),
  item(north, "expired", "2026-10-01"),
  item(none, "expired", "2025-01-01"),
  item(east, "expiring", "2026-12-01"),
  item(east, "expiring", "2026-12-02"),
  item(north, "expiring", "2026-11-30"),
  item(north, "missing", null, "älter"),
  item(north, "missing", null, "Berg"),
  item(none, "missing", null)
]

const shuffled = [...all].sort((a, b) => (a.siteId.slice(-6) < b.siteId.slice(-6) ? -1 : 1))

/** Items that arrive in pages of two. */
const select = (after: ExpiryItem | null, limit: number) => {
  let selection = selectionAfter(after, limit)
  for (let start = 0; start < shuffled.length; start += 2) {
    selection = withItems(selection, shuffled.slice(start, start + 2))
  }
  return pageOfSelection(selection)
}

describe("the list of what expires", () => {
  it("begins with what has expired in any portfolio, then goes portfolio by portfolio", () => {
    expect(select(null, 100)).toEqual({ items: all, rest: 0 })
  })

  it("is cut after what comes first, and counts the rest", () => {
    expect(select(null, 4)).toEqual({ items: all.slice(0, 4), rest: 5 })
    expect(select(null, 9)).toEqual({ items: all, rest: 0 })
  })

  it("goes on behind an item", () => {
    expect(select(all[3] ?? null, 3)).toEqual({ items: all.slice(4, 7), rest: 2 })
    expect(select(all[8] ?? null, 3)).toEqual({ items: [], rest: 0 })
  })

  it("has sections with portfolios by name and sites without one last", () => {
    expect(expirySections(all)).toEqual([
      { ...east, items: [all[0], all[3], all[4]] },
      { ...north, items: [all[1], all[5], all[6], all[7]] },
      { ...none, items: [all[2], all[8]] }
    ])
  })

  it("keeps portfolios of one name apart", () => {
    const other = portfolio("North")
    const sections = expirySections([item(north, "missing", null), item(other, "missing", null)])
    expect(sections.map(({ portfolioId }) => portfolioId)).toEqual([north.portfolioId, other.portfolioId])
  })
})
