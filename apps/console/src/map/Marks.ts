/**
 * What a map shows: sites at one position, or a number of sites within bounds.
 */
import { type Health, healths } from "../health/Health.ts"

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** Degrees. */
export interface Bounds {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** The name of a site, or what stands for it. */
interface Named {
  readonly id: string
  readonly siteName: string
}

/** As the server counts them: `sites` are the first ones of one position, and empty for several positions. */
export interface Mark extends Bounds {
  /** The worst of the sites: undefined while it is read, null where none is shown. */
  readonly health?: Health | null | undefined
  readonly count: number
  readonly sites: ReadonlyArray<Named>
}

export const markOf = ({ latitude, longitude }: Position, site: Named): Mark => ({
  count: 1,
  sites: [site],
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude
})

export const boundsOf = (marks: ReadonlyArray<Bounds>): Bounds | null =>
  marks.reduce<Bounds | null>(
    (all, { east, north, south, west }) => ({
      west: Math.min(west, all?.west ?? west),
      south: Math.min(south, all?.south ?? south),
      east: Math.max(east, all?.east ?? east),
      north: Math.max(north, all?.north ?? north)
    }),
    null
  )

/** Both borders count. */
export const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  outer.west <= inner.west && inner.east <= outer.east && outer.south <= inner.south && inner.north <= outer.north

export const isOnePlace = ({ east, north, south, west }: Bounds): boolean => west === east && south === north

export const middleOf = ({ east, north, south, west }: Bounds): Position => ({
  latitude: (south + north) / 2,
  longitude: (west + east) / 2
})

const joined = (a: Mark, b: Mark): Mark => {
  const bounds = boundsOf([a, b]) ?? a
  const sites = isOnePlace(bounds) ? [...a.sites, ...b.sites] : []
  const health = a.health && b.health && healths.find((health) => health === a.health || health === b.health)
  return { ...bounds, count: a.count + b.count, sites, health }
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Joins marks that would cover each other: `pointOf` is their place in pixels. The largest ones stay where they are. */
export const apart = (
  marks: ReadonlyArray<Mark>,
  pointOf: (position: Position) => Point,
  distance: number
): ReadonlyArray<Mark> => {
  const kept: Array<{ readonly point: Point; mark: Mark }> = []
  for (const mark of marks.toSorted((a, b) => b.count - a.count)) {
    const point = pointOf(middleOf(mark))
    const near = kept.find((one) => Math.hypot(one.point.x - point.x, one.point.y - point.y) < distance)
    if (near === undefined) kept.push({ point, mark })
    else near.mark = joined(near.mark, mark)
  }
  return kept.map(({ mark }) => mark)
}

/** The text of a section, for the server. */
export const sectionOf = ({ east, north, south, west }: Bounds): string => [west, south, east, north].join()

/** The same with a margin of a fifth on each side, within the world. */
export const sectionAround = ({ east, north, south, west }: Bounds): string => {
  const [width, height] = [(east - west) / 5, (north - south) / 5]
  const within = (degrees: number, most: number) => Math.max(-most, Math.min(most, Number(degrees.toFixed(5))))
  return sectionOf({
    west: within(west - width, 180),
    south: within(south - height, 90),
    east: within(east + width, 180),
    north: within(north + height, 90)
  })
}
