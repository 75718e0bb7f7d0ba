/** The page of one portfolio. */
import type * as english from "../en/portfolio.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const portfolioPageTexts: Translated<typeof english.portfolioPageTexts> = {
  back: "Alle Portfolios",
  notFoundTitle: "Dieses Portfolio gibt es nicht",
  notFound: "Vielleicht wurde es gelöscht.",
  toPortfolios: "Zu den Portfolios",
  edit: "Bearbeiten",
  delete: "Löschen",
  totals: "Summen",
  sites: "Standorte",
  capacity: "Leistung",
  externalId: "Externe ID",
  createdAt: "Angelegt",
  updatedAt: "Geändert",
  unknown: "–",
  coverage: "Pflichtdokumente",
  matrix: "Vollständigkeit öffnen",
  noRequirements: "Von diesen Standorten sind keine Dokumente gefordert.",
  requirements: "Pflichtdokumente festlegen",
  complete: (complete, all) =>
    `${formatNumber(complete)} von ${all === 1 ? "1 Standort" : `${formatNumber(all)} Standorten`} vollständig.`,
  noSites: "In diesem Portfolio sind keine Standorte",
  noSitesHint: "Fügen Sie Standorte hinzu, oder wählen Sie das Portfolio im Formular eines Standorts.",
  add: "Standorte hinzufügen",
  addTitle: (name) => `Standorte zu ${name} hinzufügen`,
  addHint: "Suchen Sie nach Name, Adresse oder externer ID. Standorte anderer Portfolios wechseln hierher.",
  addAction: (count) => (count === 0 ? "Standorte hinzufügen" : `${sitesOf(count)} hinzufügen`),
  added: (count, name) => `${sitesOf(count)} zu ${name} hinzugefügt.`,
  noneFound: "Dazu passt kein weiterer Standort"
}
