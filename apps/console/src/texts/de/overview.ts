/** The first page. */
import type * as english from "../en/overview.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const overviewTexts: Translated<typeof english.overviewTexts> = {
  title: "Überblick",
  totals: "Summen",
  sites: "Standorte",
  capacity: "Leistung",
  toReview: "Zu prüfende Dokumente",
  complete: "Vollständige Standorte",
  completeOf: (complete, sites) => `${formatNumber(complete)} von ${formatNumber(sites)}`,
  capacityByPortfolio: "Leistung nach Portfolio",
  portfolios: "Alle Portfolios",
  otherPortfolios: (count) => (count === 1 ? "1 weiteres Portfolio" : `${formatNumber(count)} weitere Portfolios`),
  withoutPortfolio: "In keinem Portfolio",
  noCapacity: "Es gibt noch keine Standorte.",
  documents: "Dokumente nach Status",
  newestDocuments: "der neuesten 100.000 Dokumente",
  noDocuments: "Es gibt noch keine Dokumente.",
  coverage: "Pflichtdokumente",
  coverageLink: "Vollständigkeit",
  noRequirements: "Es sind noch keine Dokumente gefordert.",
  requirements: "Dokumentanforderungen",
  incomplete: (count) => (count === 0 ? "Alle Standorte sind vollständig." : `${sitesOf(count)} unvollständig.`),
  toRenew: "Abgelaufen oder bald ablaufend",
  validUntil: (day) => `bis ${day}`,
  activity: "Letzte Aktivität",
  allActivity: "Alle Aktivität",
  start: {
    title: "Erste Schritte",
    progress: (done, steps) => `${done} von ${steps} erledigt`,
    done: "Erledigt",
    open: "Zu tun",
    hide: "Ausblenden",
    sites: "Standorte hinzufügen",
    sitesHint: "Legen Sie den ersten Standort an, oder importieren Sie eine Liste.",
    import: "Standorte aus einer Datei importieren",
    requirements: "Dokumente fordern",
    requirementsHint:
      "Nennen Sie die Dokumente, die jeder Standort haben muss. Die Vollständigkeit zeigt, welche fehlen.",
    access: "Software und Personen anbinden",
    accessHint: "Legen Sie einen API-Schlüssel an, oder laden Sie die Personen Ihrer Organisation ein."
  },
  sample: {
    hint: "Möchten Sie sich erst umsehen? Laden Sie drei Portfolios mit zwölf Standorten und ihren Dokumenten.",
    load: "Beispieldaten laden",
    loaded: "Die Beispieldaten wurden geladen.",
    failed: "Die Beispieldaten wurden nicht vollständig geladen. Entfernen Sie sie, und laden Sie sie noch einmal.",
    present: "Diese Organisation enthält Beispieldaten.",
    remove: "Beispieldaten entfernen",
    removeTitle: "Beispieldaten entfernen?",
    removeHint:
      "Gelöscht werden die Standorte mit dem Schlagwort „sample“, alle ihre Dokumente und die Beispielportfolios mit ihren Anforderungen. Andere Standorte bleiben.",
    removeAction: "Entfernen",
    removed: "Die Beispieldaten wurden entfernt."
  }
}
