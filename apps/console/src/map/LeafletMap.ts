/**
 * The map without React: outlines or tiles, and markers. Nothing here is made
 * from HTML text.
 */
import "leaflet/dist/leaflet.css"
import "./map.css"
import * as Leaflet from "leaflet"
import type { Health } from "../health/Health.ts"
import { drawMarkers, type HealthOfSite } from "./Markers.ts"
import type { Bounds, Mark, Position } from "./Marks.ts"
import { drawOutlines } from "./Outlines.ts"

export interface MapOptions {
  /** Null for the bundled outlines. */
  readonly tileUrl: string | null
  readonly texts: {
    readonly label: string
    readonly cluster: (count: number) => string
    readonly signed: (label: string, health: Health) => string
    readonly zoomIn: string
    readonly zoomOut: string
  }
  readonly onSelect?: ((mark: Mark) => void) | undefined
  /** Called with the ids of the sites that are not in a cluster, whenever they have changed. */
  readonly onShown?: ((ids: ReadonlyArray<string>) => void) | undefined
  /** Called for a click on the map. */
  readonly onPick?: ((position: Position) => void) | undefined
  /** Called when the centre has changed. */
  readonly onMove?: ((middle: Position) => void) | undefined
  /** Called with the shown section when it is fitted, and when it has changed since. */
  readonly onView?: ((section: Bounds) => void) | undefined
}

export interface MapHandle {
  readonly show: (marks: ReadonlyArray<Mark>) => void
  /** Moves the map so that all of the bounds can be seen; it stays where it is for null. */
  readonly fit: (bounds: Bounds | null) => void
  readonly select: (mark: Mark | null) => void
  /** Shows the health of drawn sites. */
  readonly sign: (healthOf: HealthOfSite) => void
  readonly remove: () => void
}

const inhabited: Leaflet.LatLngBoundsLiteral = [
  [-58, -170],
  [75, 178]
]
const everywhere: Leaflet.LatLngBoundsLiteral = [
  [-85, -200],
  [85, 200]
]
// At higher zooms outlines show nothing.
const closestOutlines = 11
const closestTiles = 18
// A single site is shown with its surroundings.
const fitting = { outlines: 6, tiles: 13 }

const positionOf = ({ lat, lng }: Leaflet.LatLng): Position => ({ latitude: lat, longitude: lng })

const sectionIn = (map: Leaflet.Map): Bounds => {
  const bounds = map.getBounds()
  return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() }
}

const makeMap = (element: HTMLElement, { texts, tileUrl }: MapOptions): Leaflet.Map => {
  const calm = globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches
  const map = Leaflet.map(element, {
    attributionControl: false,
    zoomControl: false,
    // The observer below follows the size. Leaflet's own timer would outlive a removed map.
    trackResize: false,
    maxBounds: everywhere,
    minZoom: 1,
    maxZoom: tileUrl === null ? closestOutlines : closestTiles,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    inertia: !calm
  })
  element.setAttribute("role", "region")
  element.setAttribute("aria-label", texts.label)
  Leaflet.control.zoom({ zoomInTitle: texts.zoomIn, zoomOutTitle: texts.zoomOut }).addTo(map)
  map.fitBounds(inhabited, { animate: false })
  if (tileUrl === null) drawOutlines(map)
  else Leaflet.tileLayer(tileUrl, { noWrap: true, maxZoom: closestTiles }).addTo(map)
  return map
}

export const makeLeafletMap = (element: HTMLElement, options: MapOptions): MapHandle => {
  const { onMove, onPick, onSelect, onShown, onView, texts } = options
  const map = makeMap(element, options)
  const closest = options.tileUrl === null ? fitting.outlines : fitting.tiles
  const markers = drawMarkers(map, { clusterLabel: texts.cluster, signedLabel: texts.signed, onSelect, onShown })
  if (onPick !== undefined) map.on("click", ({ latlng }) => onPick(positionOf(latlng)))
  if (onMove !== undefined) map.on("moveend", () => onMove(positionOf(map.getCenter())))
  let isFitted = false
  map.on("moveend", () => {
    if (isFitted) onView?.(sectionIn(map))
  })
  const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  observer.observe(element)
  return {
    show: markers.show,
    fit: (bounds) => {
      isFitted = false
      if (bounds !== null) {
        const { east, north, south, west } = bounds
        map.fitBounds(
          [
            [south, west],
            [north, east]
          ],
          { padding: [40, 40], maxZoom: closest, animate: false }
        )
      }
      isFitted = true
      onView?.(sectionIn(map))
    },
    select: markers.select,
    sign: markers.sign,
    remove: () => {
      observer.disconnect()
      map.remove()
    }
  }
}
