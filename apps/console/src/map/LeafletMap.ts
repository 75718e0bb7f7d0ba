/**
 * The map without React: outlines or tiles, and markers. Nothing here is made
 * from HTML text.
 */
import "leaflet/dist/leaflet.css"
import "./map.css"
import * as Leaflet from "leaflet"
import type { Health } from "../health/Health.ts"
import type { Pin, Position } from "./Clusters.ts"
import { drawMarkers, type HealthOfPin } from "./Markers.ts"
import { drawOutlines } from "./Outlines.ts"

export interface MapOptions {
  /** Null for the bundled outlines. */
  readonly tileUrl: string | null
  readonly texts: {
    readonly label: string
    readonly cluster: (count: number) => string
    readonly pin: (label: string, health: Health) => string
    readonly zoomIn: string
    readonly zoomOut: string
  }
  readonly onSelect?: ((ids: ReadonlyArray<string>) => void) | undefined
  /** Called with the ids of the pins that are not in a cluster, whenever they have changed. */
  readonly onShown?: ((ids: ReadonlyArray<string>) => void) | undefined
  /** Called for a click on the map. */
  readonly onPick?: ((position: Position) => void) | undefined
  /** Called when the centre has changed. */
  readonly onMove?: ((middle: Position) => void) | undefined
}

export interface MapHandle {
  /** Shows these pins; `fit` moves the map so that all can be seen. */
  readonly show: (pins: ReadonlyArray<Pin>, fit: boolean) => void
  readonly select: (ids: ReadonlySet<string>) => void
  /** Shows the health of drawn pins. */
  readonly sign: (healthOf: HealthOfPin) => void
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
  const { onMove, onPick, onSelect, onShown, texts } = options
  const map = makeMap(element, options)
  const closest = options.tileUrl === null ? fitting.outlines : fitting.tiles
  const markers = drawMarkers(map, { clusterLabel: texts.cluster, pinLabel: texts.pin, onSelect, onShown })
  if (onPick !== undefined) map.on("click", ({ latlng }) => onPick(positionOf(latlng)))
  if (onMove !== undefined) map.on("moveend", () => onMove(positionOf(map.getCenter())))
  const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  observer.observe(element)
  return {
    show: (pins, fit) => {
      if (fit && pins.length > 0) {
        const bounds = Leaflet.latLngBounds(pins.map(({ latitude, longitude }) => [latitude, longitude]))
        map.fitBounds(bounds, { padding: [40, 40], maxZoom: closest, animate: false })
      }
      markers.show(pins)
    },
    select: markers.select,
    sign: markers.sign,
    remove: () => {
      observer.disconnect()
      map.remove()
    }
  }
}
