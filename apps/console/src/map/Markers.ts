/**
 * The markers of a map: buttons, so that they work by keyboard. Names are set as
 * text, never as HTML.
 */
import * as Leaflet from "leaflet"
import type { Health } from "../health/Health.ts"
import { formatCompact } from "../texts/formats.ts"
import { type ClusterMarker, type Clusters, clusterPins, type Pin } from "./Clusters.ts"

const size = 32

/** Shape beside the colour of a marker. */
const signs: Record<Health, string> = { expired: "×", missing: "?", expiring: "!", complete: "✓" }

export type HealthOfPin = (id: string) => Health | null | undefined

interface MarkerOptions {
  readonly clusterLabel: (count: number) => string
  /** The label of a pin with a known health. */
  readonly pinLabel: (label: string, health: Health) => string
  /** Ids of the pins that are drawn by themselves, whenever they have changed. */
  readonly onShown: ((ids: ReadonlyArray<string>) => void) | undefined
  /** One pin, or several at one place. */
  readonly onSelect: ((ids: ReadonlyArray<string>) => void) | undefined
}

const buttonOf = (className: string, label: string, onPress: () => void): HTMLButtonElement => {
  const button = document.createElement("button")
  button.type = "button"
  button.className = className
  button.title = label
  button.setAttribute("aria-label", label)
  Leaflet.DomEvent.disableClickPropagation(button)
  button.addEventListener("click", onPress)
  return button
}

/** Updates the markers for the visible section of the map. */
export const drawMarkers = (map: Leaflet.Map, { clusterLabel, onSelect, onShown, pinLabel }: MarkerOptions) => {
  const layer = Leaflet.layerGroup().addTo(map)
  const drawn = new Map<string, { readonly marker: Leaflet.Marker; readonly button: HTMLElement; readonly pin?: Pin }>()
  let shown = ""
  let healthOf: HealthOfPin = () => undefined
  let clusters: Clusters = clusterPins([])
  let selected: ReadonlySet<string> = new Set()

  const open = ({ expandsAt, ids, latitude, longitude }: ClusterMarker) => {
    if (expandsAt > map.getMaxZoom()) return onSelect?.(ids())
    // The pressed cluster is about to split; the keyboard focus goes to the map.
    map.getContainer().focus({ preventScroll: true })
    map.setView([latitude, longitude], expandsAt)
  }

  const buttonFor = (item: ReturnType<Clusters["within"]>[number]): HTMLButtonElement => {
    if ("pin" in item) return buttonOf("map-pin", item.pin.label, () => onSelect?.([item.pin.id]))
    const button = buttonOf("map-cluster", clusterLabel(item.count), () => open(item))
    button.textContent = formatCompact(item.count)
    return button
  }

  const signPins = () => {
    for (const { button, pin } of drawn.values()) {
      const health = pin && healthOf(pin.id)
      // A pin keeps its sign while health is read again.
      if (pin === undefined || health === undefined || health === null) continue
      const label = pinLabel(pin.label, health)
      button.dataset["health"] = health
      button.textContent = signs[health]
      button.title = label
      button.setAttribute("aria-label", label)
    }
  }

  const tellShown = () => {
    const ids = [...drawn.values()].flatMap(({ pin }) => pin?.id ?? [])
    if (ids.join() === shown) return
    shown = ids.join()
    onShown?.(ids)
  }

  const refresh = () => {
    const bounds = map.getBounds().pad(0.2)
    const corners = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()] as const
    const wanted = new Map(clusters.within([...corners], map.getZoom()).map((item) => [item.key, item]))
    for (const [key, { marker }] of drawn) {
      if (wanted.has(key)) continue
      marker.remove()
      drawn.delete(key)
    }
    for (const [key, item] of wanted) {
      if (drawn.has(key)) continue
      const button = buttonFor(item)
      const icon = Leaflet.divIcon({ html: button, className: "map-marker", iconSize: [size, size] })
      const place: Leaflet.LatLngTuple = [item.latitude, item.longitude]
      const marker = Leaflet.marker(place, { icon, interactive: false, keyboard: false }).addTo(layer)
      drawn.set(key, { marker, button, ...("pin" in item && { pin: item.pin }) })
    }
    for (const [key, { button }] of drawn) {
      const isSelected = selected.has(key)
      button.toggleAttribute("data-selected", isSelected)
      if (!key.startsWith("cluster")) button.setAttribute("aria-pressed", String(isSelected))
    }
    signPins()
    tellShown()
  }
  map.on("moveend", refresh)

  return {
    show: (pins: ReadonlyArray<Pin>) => {
      clusters = clusterPins(pins)
      // The clusters of another index may have the same names.
      for (const { marker } of drawn.values()) marker.remove()
      drawn.clear()
      refresh()
    },
    sign: (latest: HealthOfPin) => {
      healthOf = latest
      signPins()
    },
    select: (ids: ReadonlySet<string>) => {
      selected = ids
      refresh()
    }
  }
}
