/** Actions on selected sites. */
import { maximumTags } from "@solar-sites/core/model"
import type * as english from "../en/siteBulk.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const siteBulkTexts: Translated<typeof english.siteBulkTexts> = {
  selectFound: (total) =>
    total === undefined ? "Alle gefundenen auswählen" : `Alle ${formatNumber(total)} gefundenen auswählen`,
  stopSelecting: "Auswählen anhalten",
  selectFailed: "Nicht alle gefundenen Standorte sind ausgewählt",
  inBatches: "Je 1.000 Standorte werden zusammen geändert: alle davon oder keiner.",
  batch: (name, count) => (count === 1 ? name : `${name} und ${formatNumber(count - 1)} weitere`),
  move: "Verschieben …",
  moveTitle: (count) => `${sitesOf(count)} verschieben`,
  moveTo: "Ziel-Portfolio",
  moveAction: "Verschieben",
  moved: (count, name) => `${sitesOf(count)} nach ${name} verschoben.`,
  takeOut: "Herausnehmen",
  takeOutTitle: (count, name) => `${sitesOf(count)} aus ${name} herausnehmen`,
  takeOutHint: "Die Standorte bleiben erhalten, in keinem Portfolio.",
  takenOut: (count, name) => `${sitesOf(count)} aus ${name} herausgenommen.`,
  takeOutNeedsOne: "Zum Herausnehmen wählen Sie nur Standorte eines Portfolios aus.",
  tag: "Schlagwörter …",
  tagTitle: (count) =>
    count === 1 ? "Schlagwörter von 1 Standort ändern" : `Schlagwörter von ${formatNumber(count)} Standorten ändern`,
  tagsToAdd: "Hinzuzufügende Schlagwörter",
  tagsToRemove: "Zu entfernende Schlagwörter",
  tagHint: "Drücken Sie nach jedem Schlagwort die Eingabetaste. Andere Schlagwörter bleiben.",
  tagHintWith: (known) =>
    `Ihre Schlagwörter: ${known}. Drücken Sie nach jedem die Eingabetaste. Andere Schlagwörter bleiben.`,
  tooManyTags: `Höchstens ${maximumTags} Schlagwörter sind möglich.`,
  tagAction: "Schlagwörter ändern",
  tagged: (count) =>
    count === 1
      ? "Schlagwörter von 1 Standort geändert."
      : `Schlagwörter von ${formatNumber(count)} Standorten geändert.`,
  delete: "Löschen …",
  deleteTitle: (count) => `${sitesOf(count)} löschen?`,
  deleteHint: "Alle Dokumente der Standorte und ihre Dateien werden mit gelöscht, Standort für Standort.",
  deleteAction: (count) => `${sitesOf(count)} löschen`,
  deleted: (count) => `${sitesOf(count)} gelöscht.`
}
