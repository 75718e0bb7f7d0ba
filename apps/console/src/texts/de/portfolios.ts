/** The portfolios that sites are grouped by. */
import { formatCapacity } from "../capacity.ts"
import type * as english from "../en/portfolios.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

const portfoliosOf = (count: number): string => (count === 1 ? "1 Portfolio" : `${formatNumber(count)} Portfolios`)

export const portfolioTexts: Translated<typeof english.portfolioTexts> = {
  title: "Portfolios",
  filter: "Portfolio",
  any: "Jedes Portfolio",
  noneFound: "Kein Portfolio heißt so",
  create: "Neues Portfolio",
  createTitle: (isOne) => (isOne ? "Neues Portfolio" : "Neue Portfolios"),
  several: "Mehrere auf einmal …",
  names: "Namen",
  namesHint:
    "Ein Name je Zeile, bis zu 100. Nach einem Tabulator kann eine externe ID folgen, wie in Zellen einer Tabelle. Es werden alle angelegt oder keines.",
  createAction: (count) => (count < 2 ? "Portfolio anlegen" : `${formatNumber(count)} Portfolios anlegen`),
  created: (count) => `${portfoliosOf(count)} angelegt.`,
  createdOne: (name) => `${name} wurde angelegt.`,
  openCreated: "Öffnen",
  line: (line, detail) => `Zeile ${formatNumber(line)}: ${detail}`,
  none: "Es gibt noch keine Portfolios",
  noneHint:
    "Ein Portfolio fasst Standorte zusammen und summiert ihre Leistung. Ein Standort ist in höchstens einem Portfolio.",
  table: "Portfolios",
  columns: {
    name: "Name",
    externalId: "Externe ID",
    sites: "Standorte",
    capacity: "Leistung",
    createdAt: "Angelegt",
    updatedAt: "Geändert"
  },
  search: "Nach Name oder externer ID suchen",
  totals: (portfolios, sites, capacityKw) =>
    `${portfoliosOf(portfolios)}, ${sitesOf(sites)}, ${formatCapacity(capacityKw)}`,
  shown: (shown, all) => (all === undefined ? `Angezeigt: ${shown}` : `Angezeigt: ${shown}. Insgesamt: ${all}`),
  actions: (name) => `Aktionen für ${name}`,
  edit: "Bearbeiten …",
  delete: "Löschen …",
  editTitle: (name) => `${name} bearbeiten`,
  name: "Name",
  externalIdHint: "Die ID in einem anderen System, oder leer. Keine zwei Portfolios haben dieselbe.",
  saveAction: "Speichern",
  saved: (name) => `${name} wurde gespeichert.`,
  conflict: (name) =>
    `Es wurde inzwischen geändert und heißt jetzt ${name}. Drücken Sie noch einmal auf die Schaltfläche, um Ihre Änderungen trotzdem zu speichern.`,
  deleteTitle: (name) => `${name} löschen?`,
  deleteHint: (count) => {
    if (count === 0) return "Es enthält keine Standorte."
    return count === 1
      ? "Sein Standort bleibt erhalten, in keinem Portfolio."
      : `Seine ${sitesOf(count)} bleiben erhalten, in keinem Portfolio.`
  },
  deleteAction: "Portfolio löschen",
  deleted: (name) => `${name} wurde gelöscht.`,
  chart: "Leistung nach Portfolio",
  chartHint: "Die Tabelle darunter enthält die Zahlen jedes Portfolios.",
  chartOthers: (count) => (count === 1 ? "1 weiteres Portfolio" : `${formatNumber(count)} weitere Portfolios`),
  chartNone: "In keinem Portfolio"
}
