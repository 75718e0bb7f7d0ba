/** Parts that all lists share: search, order, pages, columns, selection, saved views. */
import type * as english from "../en/lists.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

export const listTexts: Translated<typeof english.listTexts> = {
  filters: "Filter",
  pages: "Seiten der Liste",
  firstPage: "Erste Seite",
  previousPage: "Vorige Seite",
  nextPage: "Nächste Seite",
  placed: (total, from, to) => `${total}, ${formatNumber(from)}–${formatNumber(to)}`,
  range: (from, to) => `${formatNumber(from)} bis ${formatNumber(to)}`,
  actions: "Aktionen",
  columns: "Spalten",
  columnsHint: "Spalten der Tabelle",
  selected: (count, shown) =>
    shown === count
      ? `${formatNumber(count)} ausgewählt`
      : `${formatNumber(count)} ausgewählt, ${formatNumber(shown)} davon sichtbar`,
  clearSelection: "Auswahl aufheben",
  views: "Gespeicherte Ansichten",
  viewName: "Name der Ansicht",
  saveViewHint: "Suche, Filter und Reihenfolge werden unter diesem Namen gespeichert, für Sie in diesem Browser.",
  saveViewAction: "Ansicht speichern",
  viewSaved: (name) => `Die Ansicht ${name} wurde gespeichert.`,
  noViews: "Es ist noch keine Ansicht gespeichert.",
  copyView: (name) => `Link zur Ansicht ${name} kopieren`,
  viewCopied: (name) => `Der Link zur Ansicht ${name} wurde kopiert`,
  sharedViews: "In der Organisation geteilt",
  shareView: (name) => `Ansicht ${name} mit Kollegen teilen`,
  deleteView: (name) => `Ansicht ${name} löschen`,
  progress: (done, total) => `${formatNumber(done)} von ${formatNumber(total)} erledigt`,
  stop: "Anhalten",
  stopped: (left) => `Angehalten: ${formatNumber(left)} nicht versucht.`,
  failures: (count) => `${formatNumber(count)} fehlgeschlagen:`,
  moreFailures: (count) => `und ${formatNumber(count)} weitere`
}
