/** The sites of the organisation. */
import type * as english from "../en/sites.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const siteTexts: Translated<typeof english.siteTexts> = {
  title: "Standorte",
  create: "Neuer Standort",
  import: "Importieren",
  search: "Nach Name, Adresse oder externer ID suchen",
  noPortfolio: "In keinem Portfolio",
  showTable: "Als Tabelle anzeigen",
  showMap: "Als Karte anzeigen",
  asTable: "Tabelle",
  asMap: "Karte",
  tagFilter: "Schlagwörter",
  anyTag: "Jedes Schlagwort",
  unitFilter: "Einheit",
  anyUnit: "Jede Einheit",
  columns: {
    siteName: "Name",
    externalId: "Externe ID",
    address: "Adresse",
    capacityKw: "Leistung",
    portfolio: "Portfolio",
    documents: "Dokumente",
    tags: "Schlagwörter",
    manager: "Standortleitung",
    createdAt: "Angelegt",
    updatedAt: "Geändert"
  },
  table: "Standorte",
  count: sitesOf,
  countOfPage: (count) => `${sitesOf(count)} auf dieser Seite`,
  none: "Es gibt noch keine Standorte",
  noneHint:
    "Ein Standort ist alles mit mehr als einem Solarmodul. Legen Sie den ersten an, um ihn hier und auf der Karte zu sehen.",
  noneFound: "Dazu passt kein Standort",
  noneFoundHint: "Suchen Sie nach weniger, oder sehen Sie in allen Portfolios nach.",
  showAll: "Alle Standorte anzeigen",
  actions: (name) => `Aktionen für ${name}`,
  open: "Öffnen",
  edit: "Bearbeiten",
  delete: "Löschen",
  select: (name) => `${name} auswählen`,
  selectPage: "Alle Standorte dieser Seite auswählen",
  deleteTitle: (name) => `${name} löschen?`,
  deleteWith: (count) => {
    if (count === 0) return "Der Standort hat keine Dokumente."
    return count === 1
      ? "1 Dokument des Standorts und seine Datei werden mit gelöscht."
      : `${formatNumber(count)} Dokumente des Standorts und ihre Dateien werden mit gelöscht.`
  },
  deleteWithDocuments: "Alle Dokumente des Standorts und ihre Dateien werden mit gelöscht.",
  noWayBack: "Das lässt sich nicht rückgängig machen.",
  deleteAction: "Standort löschen",
  deleted: (name) => `${name} wurde gelöscht.`
}
