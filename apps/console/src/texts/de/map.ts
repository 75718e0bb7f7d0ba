/** The map of the sites. */
import type * as english from "../en/map.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"
import { healthTexts } from "./health.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const mapTexts: Translated<typeof english.mapTexts> = {
  label:
    "Karte der Standorte. Bewegen Sie sie mit den Pfeiltasten, zoomen Sie mit Plus und Minus. Die Standorte folgen als Schaltflächen.",
  cluster: (count) => `${sitesOf(count)} hier, hineinzoomen`,
  signed: (name, health) => `${name}: ${healthTexts.states[health]}`,
  zoomIn: "Hineinzoomen",
  zoomOut: "Herauszoomen",
  chosen: "Auf der Karte",
  chooseHint: "Wählen Sie einen Standort auf der Karte, um ihn hier zu sehen.",
  nothingMapped:
    "Keiner dieser Standorte hat eine Position. Geben Sie Breiten- und Längengrad an, um sie auf der Karte zu sehen.",
  unmapped: (count) => `${sitesOf(count)} ohne Position`,
  more: (count) => `und ${formatNumber(count)} weitere; grenzen Sie sie durch eine Suche ein`,
  reading: "Standorte werden gelesen",
  incomplete: "Nicht alle Standorte konnten gelesen werden",
  failed: "Die Karte konnte nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.",
  positionOf: "Position des Standorts"
}
