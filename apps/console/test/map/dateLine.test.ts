import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { feature } from "topojson-client"
import { describe, expect, it } from "vitest"
import { type Countries, type Position, withoutBands } from "../../src/map/dateLine.ts"

const require = createRequire(import.meta.url)

/** Outlines of the countries, as the file of the package has them. */
const countriesIn = (file: string): Countries => {
  const topology: Parameters<typeof feature>[0] = JSON.parse(readFileSync(require.resolve(file), "utf8"))
  const { countries } = topology.objects
  if (countries === undefined) throw new Error("the topology has countries")
  const found = feature(topology, countries)
  return found.type === "FeatureCollection" ? found : { type: "FeatureCollection", features: [found] }
}

const polygonsOf = ({ features }: Countries): ReadonlyArray<ReadonlyArray<ReadonlyArray<Position>>> =>
  features.flatMap(({ geometry }) =>
    geometry.type === "Polygon" ? [geometry.coordinates] : geometry.type === "MultiPolygon" ? geometry.coordinates : []
  )

const square = (west: number, east: number): Array<Position> => [
  [west, 60],
  [east, 60],
  [east, 70],
  [west, 70],
  [west, 60]
]

const flat = (...rings: ReadonlyArray<Array<Position>>) =>
  polygonsOf(
    withoutBands({
      type: "FeatureCollection",
      features: [{ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [...rings] } }]
    })
  )

/** The points of each ring, wherever it begins. */
const cornersOf = (polygon: ReadonlyArray<ReadonlyArray<Position>>) =>
  polygon.map((ring) => [...new Set(ring.map((point) => point.join(" ")))].toSorted())

/** The widest edge of a ring that is not an edge along a pole. */
const widestEdge = (countries: Countries): number =>
  Math.max(
    ...polygonsOf(countries).flatMap((polygon) =>
      polygon.flatMap((ring) =>
        ring.slice(1).map(([longitude = 0, latitude = 0], index) => {
          const [before = 0] = ring[index] ?? []
          return Math.abs(latitude) === 90 ? 0 : Math.abs(longitude - before)
        })
      )
    )
  )

describe("polygons across the date line", () => {
  it("stay as they are elsewhere", () => expect(flat(square(170, 179))).toEqual([[square(170, 179)]]))

  it("are drawn at both sides of the map", () => {
    expect(flat(square(170, -170)).map(cornersOf)).toEqual([
      cornersOf([square(170, 180)]),
      cornersOf([square(-180, -170)])
    ])
    expect(flat(square(-170, 170)).map(cornersOf)).toEqual([
      cornersOf([square(-180, -170)]),
      cornersOf([square(170, 180)])
    ])
  })

  it("keep their holes", () =>
    expect(flat(square(170, -170), square(-178, -175)).map(cornersOf)).toEqual([
      cornersOf([square(170, 180)]),
      cornersOf([square(-180, -170), square(-178, -175)])
    ]))

  it("close around a pole along the edge of the map", () => {
    const around: Array<Position> = [-180, -90, 0, 90, 180].map((longitude) => [longitude, -70])
    expect(flat([...around.slice(0, -1), [-180, -70]]).flatMap(cornersOf)[0]).toEqual(
      expect.arrayContaining(["-180 -90", "180 -90", "-180 -70", "180 -70"])
    )
  })

  it.each(["countries-110m.json", "countries-50m.json"])("leave no band in %s", (file) => {
    const countries = countriesIn(`world-atlas/${file}`)
    expect(widestEdge(countries)).toBeGreaterThan(300)
    expect(widestEdge(withoutBands(countries))).toBeLessThan(90)
  })
})
