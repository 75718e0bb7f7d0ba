/**
 * Sites on a map, counted by the cells of a grid.
 *
 * The grid is anchored to the world, so a cluster keeps its sites when the section moves. Its step is a power-of-two part of
 * the world: both columns and rows of a section are at most 17. Few sites are counted by a finer grid, of which a map shows
 * each cell apart. The port and the rules of core compute it alike.
 */
import { Schema } from "effect"
import type { Site } from "./Site.ts"
import type { FoundSites } from "./SiteHealth.ts"

/** Degrees. `west` is at most `east`: a section does not cross the date line. */
export const MapSection = Schema.Struct({
  west: Schema.Finite,
  south: Schema.Finite,
  east: Schema.Finite,
  north: Schema.Finite
})
export type MapSection = typeof MapSection.Type

const world: MapSection = { west: -180, south: -90, east: 180, north: 90 }

/** The section that is written as `west,south,east,north`; undefined for other texts. */
export const mapSectionOf = (text: string): MapSection | undefined => {
  const parts = text.split(",")
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = parts.map((part) =>
    part.trim() === "" ? Number.NaN : Number(part)
  )
  const isSection = parts.length === 4 && -180 <= west && west <= east && east <= 180
  return isSection && -90 <= south && south <= north && north <= 90 ? { west, south, east, north } : undefined
}

/** A section of a map as the text `west,south,east,north`. */
export const MapSectionText = Schema.String.check(
  Schema.makeFilter((text: string) => mapSectionOf(text) !== undefined, {
    message: "must be west,south,east,north in degrees, with west ≤ east and south ≤ north",
    faultCode: "invalid_section"
  })
)

/** Conditions of `SiteRepository.clusters`. `within` holds its borders. */
export type ClusterConditions = FoundSites & { readonly within?: MapSection }

/** The site with its name alone. */
type NamedSite = Pick<Site, "id" | "siteName">

/** `sites` are the first ones by id, at most `maximumNamedSites`. */
interface SiteGroup {
  readonly count: number
  readonly sites: ReadonlyArray<NamedSite>
}

/** Sites of a cell with their bounds. `sites` is empty unless all of them have one position. */
interface SiteCluster extends MapSection, SiteGroup {}

/** Clusters in ascending order of `west` and `south`. `unplaced` sites have no position; null with `within`. */
export interface SiteClusters {
  readonly clusters: ReadonlyArray<SiteCluster>
  readonly unplaced: SiteGroup | null
}

export const maximumNamedSites = 100

/** Sites with a position that are counted by the finer grid. */
export const fewSites = 200

/** Columns, and rows, of the finer grid in a cell. */
export const partsOfCell = 16

const steps = 16
const mostHalvings = 20
const flattening = 0.75

/** Width and height of a cell, in degrees. On a map of a middle latitude both are about as long. */
export const gridOf = ({ east, north, south, west }: MapSection = world): { width: number; height: number } => {
  const least = Math.max((east - west) / steps, (north - south) / flattening / steps, 360 / 2 ** mostHalvings)
  const width = 360 / 2 ** Math.floor(Math.log2(360 / least))
  return { width, height: width * flattening }
}

type Placed = Site & { readonly latitude: number; readonly longitude: number }

const isPlaced = (site: Site): site is Placed => site.latitude !== null && site.longitude !== null

const ascending = (a: number, b: number): number => a - b

const byId = (a: Site, b: Site): number => (a.id < b.id ? -1 : 1)

const named = (sites: ReadonlyArray<Site>): ReadonlyArray<NamedSite> =>
  sites
    .toSorted(byId)
    .slice(0, maximumNamedSites)
    .map(({ id, siteName }) => ({ id, siteName }))

const clusterOf = (sites: ReadonlyArray<Placed>): SiteCluster => {
  const longitudes = sites.map(({ longitude }) => longitude).sort(ascending)
  const latitudes = sites.map(({ latitude }) => latitude).sort(ascending)
  // A negative zero is a zero.
  const at = (values: ReadonlyArray<number>, index: number): number => (values.at(index) ?? 0) + 0
  const bounds = {
    west: at(longitudes, 0),
    south: at(latitudes, 0),
    east: at(longitudes, -1),
    north: at(latitudes, -1)
  }
  const isOnePlace = bounds.west === bounds.east && bounds.south === bounds.north
  return { count: sites.length, ...bounds, sites: isOnePlace ? named(sites) : [] }
}

/** Clusters of the given sites, which meet all other conditions. */
export const clustersOf = (sites: ReadonlyArray<Site>, within: MapSection | undefined): SiteClusters => {
  const grid = gridOf(within)
  const { east, north, south, west } = within ?? world
  const inside = sites
    .filter(isPlaced)
    .filter((site) => west <= site.longitude && site.longitude <= east)
    .filter((site) => south <= site.latitude && site.latitude <= north)
  const parts = inside.length <= fewSites ? partsOfCell : 1
  const [width, height] = [grid.width / parts, grid.height / parts]
  const cells = Map.groupBy(
    inside,
    (site) => `${Math.floor(site.longitude / width)} ${Math.floor(site.latitude / height)}`
  )
  const unplaced = sites.filter((site) => !isPlaced(site))
  return {
    clusters: [...cells.values()].map(clusterOf).sort((a, b) => a.west - b.west || a.south - b.south),
    unplaced: within === undefined ? { count: unplaced.length, sites: named(unplaced) } : null
  }
}
