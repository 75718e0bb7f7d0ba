/** The map of the sites. */
import { formatNumber } from "../formats.ts"
import { type HealthState, healthTexts } from "./health.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 site" : `${formatNumber(count)} sites`)

export const mapTexts = {
  label: "Map of the sites. Move it with the arrow keys, zoom with plus and minus; its sites follow as buttons.",
  cluster: (count: number) => `${sitesOf(count)} here, zoom in`,
  signed: (name: string, health: HealthState) => `${name}: ${healthTexts.states[health]}`,
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  chosen: "On the map",
  chooseHint: "Choose a site on the map to see it here.",
  nothingMapped: "None of these sites has a position. Give them latitude and longitude to see them on the map.",
  unmapped: (count: number) => `${sitesOf(count)} without a position`,
  more: (count: number) => `and ${formatNumber(count)} more; search to narrow them down`,
  reading: "Reading sites",
  incomplete: "Not all sites could be read",
  failed: "The map could not be loaded. Reload the page to try again.",
  positionOf: "Position of the site"
}
