/**
 * Polygons across the date line. Their longitudes jump from 180° to -180°, which a flat map draws as a
 * band across the whole world.
 */
import type { feature } from "topojson-client"

export type Countries = Extract<ReturnType<typeof feature>, { readonly type: "FeatureCollection" }>
type Geometry = Countries["features"][number]["geometry"]

/** Longitude, latitude. */
export type Position = Array<number>
type Ring = Array<Position>

const turn = 360

const longitudeOf = ([longitude = 0]: Position): number => longitude

const shifted = (ring: Ring, by: number): Ring =>
  by === 0 ? ring : ring.map(([longitude = 0, ...rest]) => [longitude + by, ...rest])

/** Continues beyond 180° instead of jumping. A ring around a pole is closed along the edge of the map. */
const unwrapped = (ring: Ring): Ring => {
  let offset = 0
  let before = longitudeOf(ring[0] ?? [])
  const points = ring.map((point) => {
    const longitude = longitudeOf(point)
    if (longitude - before > turn / 2) offset -= turn
    if (longitude - before < -turn / 2) offset += turn
    before = longitude
    return [longitude + offset, ...point.slice(1)]
  })
  if (offset === 0) return points
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return points
  const pole = (last[1] ?? 0) < 0 ? -90 : 90
  return [...points, [longitudeOf(last), pole], [longitudeOf(first), pole], first]
}

/** The part of the ring west or east of a longitude, with an edge along it. */
const cut = (ring: Ring, at: number, isKept: (longitude: number) => boolean): Ring =>
  ring.flatMap((point, index) => {
    const [longitude = 0, latitude = 0] = point
    const [before = 0, beforeLatitude = 0] = ring.at(index - 1) ?? point
    const crosses = isKept(longitude) !== isKept(before)
    const share = crosses ? (at - before) / (longitude - before) : 0
    const crossing = crosses ? [[at, beforeLatitude + share * (latitude - beforeLatitude)]] : []
    return isKept(longitude) ? [...crossing, point] : crossing
  })

const edge = turn / 2

const onMap = (ring: Ring): Ring => {
  const western = cut(ring, edge, (longitude) => longitude <= edge)
  return cut(western, -edge, (longitude) => longitude >= -edge)
}

const rangeOf = (ring: Ring): readonly [west: number, east: number] =>
  ring.reduce<readonly [number, number]>(
    ([west, east], point) => [Math.min(west, longitudeOf(point)), Math.max(east, longitudeOf(point))],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  )

/** The same polygon. One across the date line becomes two, at both sides of the map. */
const onFlatMap = (polygon: ReadonlyArray<Ring>): ReadonlyArray<Array<Ring>> => {
  const [outer = [], ...holes] = polygon.map(unwrapped)
  const [west, east] = rangeOf(outer)
  const inside = holes.map((hole) => {
    const longitude = longitudeOf(hole[0] ?? [])
    return shifted(hole, longitude < west ? turn : longitude > east ? -turn : 0)
  })
  const rings = [outer, ...inside]
  if (west >= -edge && east <= edge) return [rings]
  const copy = rings.map((ring) => shifted(ring, east > edge ? -turn : turn))
  return [rings, copy].map((part) => part.map(onMap).filter((ring) => ring.length > 0))
}

const flattened = (geometry: Geometry): Geometry => {
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") return geometry
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates
  return { type: "MultiPolygon", coordinates: polygons.flatMap(onFlatMap) }
}

/** The countries as a flat map draws them. */
export const withoutBands = (countries: Countries): Countries => ({
  ...countries,
  features: countries.features.map((country) => ({ ...country, geometry: flattened(country.geometry) }))
})
