import { describe, expect, it } from "vitest"
import { limitFault, limitText } from "../../src/portfolios/portfolioLimit.ts"

const names = new Map([
  ["a", "North"],
  ["b", "South"],
  ["c", "East"],
  ["d", "West"]
])
const textOf = (limit: ReadonlyArray<string> | null) => limitText(limit, (id) => names.get(id ?? "") ?? "")

describe("the limit to portfolios", () => {
  it("is no text without a limit", () => expect(textOf(null)).toBeUndefined())

  it("names three portfolios and counts the others", () => {
    expect(textOf(["a", "b"])).toBe("Only North, South")
    expect(textOf(["d", "c", "b", "a"])).toBe("Only West, East, South and 1 more")
    expect(textOf(["a", "unknown", "hidden"])).toBe("Only North and 2 more")
  })

  it("counts portfolios while no name is known", () => {
    expect(textOf(["unknown"])).toBe("Only 1 portfolio")
    expect(textOf(["unknown", "hidden"])).toBe("Only 2 portfolios")
  })

  it("says that an empty list sees nothing, and refuses to give one", () => {
    expect(textOf([])).toBe("No portfolio, so nothing")
    expect(limitFault([])).toBe("Choose at least one portfolio")
    expect(limitFault(["a"])).toBeNull()
    expect(limitFault(null)).toBeNull()
  })
})
