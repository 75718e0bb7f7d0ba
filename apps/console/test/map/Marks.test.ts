import { describe, expect, it } from "vitest"
import { apart, boundsOf, isOnePlace, type Mark, markOf, sectionAround, sectionOf } from "../../src/map/Marks.ts"

const at = (longitude: number, latitude: number, siteName = "Field") =>
  markOf({ longitude, latitude }, { id: `${longitude} ${latitude} ${siteName}`, siteName })

// A pixel per degree.
const pointOf = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) => ({
  x: longitude,
  y: latitude
})

describe("marks of a map", () => {
  it("have bounds, which are null without a mark", () => {
    expect(boundsOf([])).toBeNull()
    expect(boundsOf([at(11, 48), at(-9, 38), at(3, 55)])).toEqual({ west: -9, south: 38, east: 11, north: 55 })
    expect(isOnePlace(at(11, 48))).toBe(true)
  })

  it("stay as they are where they lie apart", () => {
    const marks = [at(0, 0), at(40, 0)]
    expect(apart(marks, pointOf, 32)).toEqual(marks)
  })

  it("become one where they would cover each other, with the bounds and the number of both", () => {
    const large = { west: 8, south: 0, east: 12, north: 0, count: 50, sites: [] }
    expect(apart([at(0, 0), large, at(100, 0)], pointOf, 32)).toEqual([
      { west: 0, south: 0, east: 12, north: 0, count: 51, sites: [] },
      at(100, 0)
    ])
  })

  it("become one with the worst health of both, once that is known", () => {
    const joined = (...healths: ReadonlyArray<Mark["health"]>) =>
      apart(
        healths.map((health, index) => ({ ...at(index, 1), health })),
        pointOf,
        32
      ).map(({ health }) => health)
    expect(joined("expiring", "missing", "complete")).toEqual(["missing"])
    expect(joined("expired", undefined)).toEqual([undefined])
    expect(joined(null, null)).toEqual([null])
  })

  it("of one position keep the names of their sites", () => {
    const [mark] = apart([at(1, 1, "A"), at(1, 1, "B")], pointOf, 32)
    expect(mark?.sites.map(({ siteName }) => siteName)).toEqual(["A", "B"])
    expect(apart([at(1, 1, "A"), at(2, 1, "B")], pointOf, 32)).toMatchObject([{ count: 2, sites: [] }])
  })
})

describe("the section of a map", () => {
  it("has a margin within the world", () => {
    expect(sectionAround({ west: 10, south: 40, east: 20, north: 50 })).toBe("8,38,22,52")
    expect(sectionAround({ west: -220, south: -90, east: 210, north: 90 })).toBe("-180,-90,180,90")
    expect(sectionAround({ west: 1 / 3, south: 0, east: 1 / 3, north: 0 })).toBe("0.33333,0,0.33333,0")
  })

  it("of a mark is exact", () => expect(sectionOf(at(1 / 3, 48.1))).toBe(`${1 / 3},48.1,${1 / 3},48.1`))
})
