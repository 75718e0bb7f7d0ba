import { describe, expect, it } from "vitest"
import { portfolioTotal } from "../../src/portfolios/portfolioTotal.ts"

describe("the total of portfolios", () => {
  it("adds up exact capacities: rounded ones would be 1.236 MW", () => {
    const kilowatts = [1_234.56, 0.444, 0.444]
    expect(portfolioTotal(kilowatts.map((capacityKw) => ({ siteCount: 1, capacityKw })))).toBe(
      "3 portfolios, 3 sites, 1.235 MW"
    )
  })

  it("is named in the singular, too", () => {
    expect(portfolioTotal([{ siteCount: 1, capacityKw: 0.444 }])).toBe("1 portfolio, 1 site, 444 W")
    expect(portfolioTotal([])).toBe("0 portfolios, 0 sites, 0 kW")
  })
})
