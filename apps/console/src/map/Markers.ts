/**
 * The markers of a map: buttons, so that they work by keyboard. Names are set as
 * text, never as HTML.
 */
import * as Leaflet from "leaflet"
import type { Health } from "../health/Health.ts"
import { formatCompact } from "../texts/formats.ts"
import { apart, isOnePlace, type Mark, middleOf } from "./Marks.ts"

const size = 32

/** Shape beside the colour of a marker. */
const signs: Record<Health, string> = { expired: "×", missing: "?", expiring: "!", complete: "✓" }

export type HealthOfSite = (id: string) => Health | null | undefined

interface MarkerOptions {
  readonly clusterLabel: (count: number) => string
  /** The label of a marker with a known health. */
  readonly signedLabel: (label: string, health: Health) => string
  /** Ids of the sites that are drawn by themselves, whenever they have changed. */
  readonly onShown: ((ids: ReadonlyArray<string>) => void) | undefined
  /** One site, or several that no closer look shows apart. */
  readonly onSelect: ((mark: Mark) => void) | undefined
}

interface Drawn {
  readonly marker: Leaflet.Marker
  readonly button: HTMLButtonElement
  readonly mark: Mark
}

/** The only site of a mark. */
const siteOf = ({ count, sites }: Mark) => (count === 1 ? sites[0] : undefined)

const keyOf = (mark: Mark): string =>
  siteOf(mark)?.id ?? `cluster ${[mark.count, mark.west, mark.south, mark.east, mark.north].join(" ")}`

/** All but the health, which changes the sign alone. */
const placeOf = ({ health: _, ...mark }: Mark): string => JSON.stringify(mark)

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

/** Draws the marks, joined where they would cover each other. */
export const drawMarkers = (map: Leaflet.Map, { clusterLabel, onSelect, onShown, signedLabel }: MarkerOptions) => {
  const layer = Leaflet.layerGroup().addTo(map)
  const drawn = new Map<string, Drawn>()
  let shown = ""
  let healthOf: HealthOfSite = () => undefined
  let marks: ReadonlyArray<Mark> = []
  let selected: Mark | null = null

  const open = (mark: Mark) => {
    if (isOnePlace(mark) || map.getZoom() >= map.getMaxZoom()) return onSelect?.(mark)
    // The pressed cluster is about to split; the keyboard focus goes to the map.
    map.getContainer().focus({ preventScroll: true })
    map.fitBounds(
      [
        [mark.south, mark.west],
        [mark.north, mark.east]
      ],
      { padding: [40, 40] }
    )
  }

  const labelOf = (mark: Mark): string => siteOf(mark)?.siteName ?? clusterLabel(mark.count)

  const buttonFor = (mark: Mark): HTMLButtonElement => {
    if (siteOf(mark) !== undefined) return buttonOf("map-pin", labelOf(mark), () => onSelect?.(mark))
    const button = buttonOf("map-cluster", labelOf(mark), () => open(mark))
    button.textContent = formatCompact(mark.count)
    return button
  }

  const signMarkers = () => {
    for (const { button, mark } of drawn.values()) {
      const site = siteOf(mark)
      const health = site === undefined ? mark.health : healthOf(site.id)
      // A marker keeps its sign while health is read again.
      if (health === undefined) continue
      const name = labelOf(mark)
      const label = health === null ? name : signedLabel(name, health)
      if (health === null) delete button.dataset["health"]
      else button.dataset["health"] = health
      const sign = health === null ? "" : signs[health]
      if (site === undefined) button.dataset["sign"] = sign
      else button.textContent = sign
      button.title = label
      button.setAttribute("aria-label", label)
    }
  }

  const markSelected = () => {
    for (const [key, { button, mark }] of drawn) {
      const isSelected = selected !== null && key === keyOf(selected)
      button.toggleAttribute("data-selected", isSelected)
      if (siteOf(mark) !== undefined) button.setAttribute("aria-pressed", String(isSelected))
    }
  }

  const tellShown = () => {
    const ids = [...drawn.values()].flatMap(({ mark }) => siteOf(mark)?.id ?? [])
    if (ids.join() === shown) return
    shown = ids.join()
    onShown?.(ids)
  }

  const draw = (key: string, mark: Mark) => {
    const button = buttonFor(mark)
    const icon = Leaflet.divIcon({ html: button, className: "map-marker", iconSize: [size, size] })
    const { latitude, longitude } = middleOf(mark)
    const options = { icon, interactive: false, keyboard: false }
    const marker = Leaflet.marker([latitude, longitude], options).addTo(layer)
    drawn.set(key, { marker, button, mark })
  }

  const refresh = () => {
    const pointOf = ({ latitude, longitude }: ReturnType<typeof middleOf>) =>
      map.project([latitude, longitude], map.getZoom())
    const wanted = new Map(apart(marks, pointOf, size).map((mark) => [keyOf(mark), mark]))
    for (const [key, { button, mark, marker }] of drawn) {
      const now = wanted.get(key)
      // A site that has moved, or has another name.
      if (now !== undefined && placeOf(now) === placeOf(mark)) {
        drawn.set(key, { button, marker, mark: now })
        continue
      }
      marker.remove()
      drawn.delete(key)
    }
    for (const [key, mark] of wanted) if (!drawn.has(key)) draw(key, mark)
    markSelected()
    signMarkers()
    tellShown()
  }
  map.on("zoomend", refresh)

  return {
    show: (latest: ReadonlyArray<Mark>) => {
      marks = latest
      refresh()
    },
    sign: (latest: HealthOfSite) => {
      healthOf = latest
      signMarkers()
    },
    select: (mark: Mark | null) => {
      selected = mark
      markSelected()
    }
  }
}
