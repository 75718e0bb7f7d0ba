import { pageOf, pageOfSites, pageOfSlices, takePage } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { expect, it } from "vitest"

const bytes = 8 * 1_048_576
const names = ["\u{1F31E}", "Äpfel", "apfel b", "\uffee"]
const sites = names.map((siteName) => aSite({ siteName }))
const inOrder = sites.toSorted((a, b) => (a.id < b.id ? -1 : 1))

it("a page has the items after an id, and tells whether more follow", () => {
  const reversed = inOrder.toReversed()
  expect(pageOf(reversed, { after: null, limit: 2 })).toEqual({ items: inOrder.slice(0, 2), hasMore: true })
  expect(pageOf(reversed, { after: inOrder[1]?.id ?? "", limit: 2 })).toEqual({
    items: inOrder.slice(2),
    hasMore: false
  })
})

it("a page ends where its items have too many bytes, never before its first item", () => {
  const items = Array.from({ length: 100 }, (_, index) => ({ index, text: "x".repeat(90) }))
  expect(takePage(items, 100, 1_000).items.length).toBe(10)
  expect(takePage(items, 100, 1).items.length).toBe(1)
  // So few are not counted.
  expect(takePage(items, 50, 1).items.length).toBe(50)
})

it("names are sorted without case and accents, by code points", () => {
  const sort = { by: "siteName", order: "asc", value: null } as const
  const { items } = pageOfSites(sites, {}, { after: null, limit: 10, sort }, bytes)
  expect(items.map(({ siteName }) => siteName)).toEqual(["Äpfel", "apfel b", "\uffee", "\u{1F31E}"])
  const [first] = items
  const next = { after: first?.id ?? null, limit: 1, sort: { ...sort, value: "apfel" } }
  expect(pageOfSites(sites, {}, next, bytes).items.map(({ siteName }) => siteName)).toEqual(["apfel b"])
})

it("a site is found by each word of a search", () => {
  const found = (q: string) => pageOfSites(sites, { q }, { after: null, limit: 10 }, bytes).items.length
  expect([found("APFEL"), found("b apf"), found("apfel c")]).toEqual([2, 1, 0])
})

it("a portfolio is continued where a piece has cut it", () => {
  const [empty, full] = [aPortfolio(), aPortfolio()].toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [
    ReturnType<typeof aPortfolio>,
    ReturnType<typeof aPortfolio>
  ]
  const members = inOrder.map((site) => aSite({ ...site, portfolioId: full.id }))
  const first = pageOfSlices([full, empty], members, { after: null, limit: 3 }, bytes)
  expect(first.items.map(({ portfolio, sites }) => [portfolio?.siteCount, sites.length])).toEqual([
    [0, 0],
    [4, 2]
  ])
  const after = { portfolioId: full.id, siteId: members[1]?.id ?? null }
  const last = pageOfSlices([full, empty], members, { after, limit: 3 }, bytes)
  expect(last.items.map(({ portfolio, sites }) => [portfolio, sites.length])).toEqual([[null, 2]])
  expect(last.hasMore).toBe(false)
})
