import { describe, expect, it } from "vitest"
import { siteFilters } from "../../src/sites/siteFilters.ts"
import { conditionsOf, csvPathOf } from "../../src/sites/siteRequest.ts"
import { isCounted, siteTotalOf } from "../../src/sites/siteTotal.ts"

const portfolio = "0197a3b0-7000-7000-8000-00000000000a"
const read = (query: string) => siteFilters.read(new URLSearchParams(query))

describe("the total of found sites", () => {
  const overview = { siteCount: 5_012, withoutPortfolio: { siteCount: 12, capacityKw: 1 } }
  const portfolios = [{ id: portfolio, siteCount: 300 }]

  it.each([
    ["", 5_012],
    ["sort=capacityKw&order=desc", 5_012],
    ["portfolio=none", 12],
    [`portfolio=${portfolio}`, 300],
    ["portfolio=unknown", undefined],
    ["search=roof", undefined],
    ["tag=roof", undefined],
    ["unit=kWp", undefined],
    ["health=missing", undefined],
    ["sort=health", 5_012]
  ])("of %j is %s", (query, total) => expect(siteTotalOf(read(query), overview, portfolios)).toBe(total))

  it.each([
    ["search=+roof+&tag=a&tag=b&sort=capacityKw", { q: "roof", tag: ["a", "b"] }],
    [`unit=kWp&portfolio=${portfolio}`, { unit: "kWp", portfolioId: portfolio }],
    ["search=roof&portfolio=none", { q: "roof", portfolioId: "none" }]
  ])("of %j is counted by %j", (query, conditions) => {
    expect(isCounted(read(query))).toBe(true)
    expect(conditionsOf(read(query))).toEqual(conditions)
  })

  it.each(["", "portfolio=none", "sort=health", "search=roof&health=missing"])("of %j is not counted", (query) =>
    expect(isCounted(read(query))).toBe(false)
  )

  it("is unknown until the overview is read", () => expect(siteTotalOf(read(""), undefined, [])).toBeUndefined())
})

describe("the export of found sites", () => {
  it.each([
    ["", "/sites/csv?sort=siteName&order=asc"],
    ["search=roof&tag=a&tag=b&unit=MWp", "/sites/csv?q=roof&unit=MWp&sort=siteName&order=asc&tag=a&tag=b"],
    [`portfolio=${portfolio}`, `/sites/csv?portfolioId=${portfolio}&sort=siteName&order=asc`],
    ["sort=health", "/sites/csv?sort=siteName&order=asc"],
    ["health=missing", "/sites/csv?health=missing&sort=siteName&order=asc"],
    ["portfolio=none", "/sites/csv?portfolioId=none&sort=siteName&order=asc"],
    ["portfolio=mistyped", undefined]
  ])("of %j is %s", (query, path) => expect(csvPathOf(read(query))).toBe(path))
})
