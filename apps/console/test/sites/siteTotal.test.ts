import { describe, expect, it } from "vitest"
import { siteFilters } from "../../src/sites/siteFilters.ts"
import { csvPathOf } from "../../src/sites/siteRequest.ts"
import { countedQueryOf, siteTotalOf } from "../../src/sites/siteTotal.ts"

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
    ["search=roof&portfolio=none", { q: "roof", portfolioId: "none" }],
    ["", undefined],
    ["portfolio=none", undefined],
    ["search=roof&portfolio=mistyped", undefined],
    ["search=roof&health=missing", undefined]
  ])("of %j is counted by %j", (query, conditions) => expect(countedQueryOf(read(query))).toEqual(conditions))

  it("is unknown until the overview is read", () => expect(siteTotalOf(read(""), undefined, [])).toBeUndefined())
})

describe("the export of found sites", () => {
  it.each([
    ["", "/api/sites?sort=siteName&order=asc"],
    ["search=roof&tag=a&tag=b&unit=MWp", "/api/sites?q=roof&unit=MWp&sort=siteName&order=asc&tag=a&tag=b"],
    [`portfolio=${portfolio}`, `/api/sites?portfolioId=${portfolio}&sort=siteName&order=asc`],
    ["sort=health", "/api/sites?sort=siteName&order=asc"],
    // The API has no filter for them.
    ["health=missing", undefined],
    ["portfolio=none", undefined],
    ["portfolio=mistyped", undefined]
  ])("of %j is %s", (query, path) => expect(csvPathOf(read(query))).toBe(path))
})
