/**
 * Bundled outlines of the countries, for maps without a tile server. Fine
 * outlines are loaded at higher zooms.
 */
import * as Leaflet from "leaflet"
import { feature } from "topojson-client"
import { withoutBands } from "./dateLine.ts"

type Topology = Parameters<typeof feature>[0]

// From this zoom on the fine outlines are used.
const fineFrom = 4

const read = async (file: Promise<{ readonly default: Topology }>): Promise<Leaflet.GeoJSON | undefined> => {
  const { default: topology } = await file
  const { countries } = topology.objects
  if (countries === undefined) return undefined
  const found = feature(topology, countries)
  const outlines = found.type === "FeatureCollection" ? withoutBands(found) : found
  return Leaflet.geoJSON(outlines, { interactive: false, style: { className: "map-country" } })
}

/** The outlines that a zoom needs, loaded when it first does. */
const makeOutlines = () => {
  const files = {
    coarse: () => read(import("world-atlas/countries-110m.json")),
    fine: () => read(import("world-atlas/countries-50m.json"))
  }
  const loaded = new Map<keyof typeof files, Promise<Leaflet.GeoJSON | undefined>>()
  return (zoom: number) => {
    const kind = zoom >= fineFrom ? "fine" : "coarse"
    const outlines = loaded.get(kind) ?? files[kind]()
    loaded.set(kind, outlines)
    return outlines
  }
}

/** Outlines that cannot be loaded are left out; the sites are shown all the same. */
export const drawOutlines = (map: Leaflet.Map): void => {
  const outlinesAt = makeOutlines()
  let shown: Leaflet.GeoJSON | undefined
  let turn = 0
  const refresh = async () => {
    turn += 1
    const own = turn
    const wanted = await outlinesAt(map.getZoom()).catch(() => undefined)
    if (own !== turn || wanted === undefined || wanted === shown) return
    wanted.addTo(map)
    shown?.remove()
    shown = wanted
  }
  map.on("zoomend", refresh)
  map.on("unload", () => {
    turn += 1
  })
  void refresh()
}
