import { describe, expect, it } from "vitest"
import { capacityBars } from "../../src/portfolios/capacityBars.ts"

const portfolios = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `Vale ${index}`, capacityKw: index }))

const namesOf = (bars: ReturnType<typeof capacityBars>) => bars.map(({ name }) => name)

describe("the bars of the chart", () => {
  it("are those of all portfolios, the largest first, and of the sites in none", () => {
    expect(namesOf(capacityBars(portfolios(3), 0))).toEqual(["Vale 2", "Vale 1", "Vale 0"])
    expect(capacityBars(portfolios(12), 5)).toHaveLength(13)
    expect(capacityBars(portfolios(1), 5).at(-1)).toEqual({
      id: "outside",
      name: "In no portfolio",
      capacityKw: 5,
      rest: true
    })
  })

  it("add up what is beyond the largest ones", () => {
    const bars = capacityBars(portfolios(55), 0)
    expect(namesOf(bars)).toEqual([
      ...Array.from({ length: 11 }, (_, index) => `Vale ${54 - index}`),
      "44 other portfolios"
    ])
    expect(bars.at(-1)).toMatchObject({ capacityKw: (43 * 44) / 2, rest: true })
  })
})
