/** The documents that sites must have. */
import { expiringDays } from "@solar-sites/core/model"
import type * as english from "../en/requirements.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

export const requirementTexts: Translated<typeof english.requirementTexts> = {
  title: "Dokumentanforderungen",
  description:
    "Die Dokumente, die jeder Standort haben muss. Die Vollständigkeit zeigt, welche fehlen, abgelaufen sind oder bald ablaufen.",
  readOnly: "Die Anforderungen ändern Inhaber und Administratoren.",
  list: "Dokumentanforderungen",
  columns: {
    documentType: "Dokumentart",
    sites: "Standorte",
    validityRequired: "Gültigkeit",
    days: "Läuft bald ab"
  },
  allSites: "Alle Standorte",
  formerPortfolio: "einem früheren Portfolio",
  validityRequired: "Enddatum erforderlich",
  validityNotRequired: "Nicht erforderlich",
  days: "Tage vor dem Ende",
  daysBefore: (days) => (Number(days) === 1 ? "1 Tag vor dem Ende" : `${days} Tage vor dem Ende`),
  rowOf: (row) => `Anforderung ${formatNumber(row)}`,
  labelOf: (label, row) => `${label} von Anforderung ${formatNumber(row)}`,
  edit: (row) => `Anforderung ${formatNumber(row)} bearbeiten`,
  done: "Fertig",
  removeShort: "Entfernen",
  remove: (row) => `Anforderung ${formatNumber(row)} entfernen`,
  add: "Anforderung hinzufügen",
  save: "Speichern",
  discard: "Änderungen verwerfen",
  saved: "Die Anforderungen wurden gespeichert.",
  failed: "Die Anforderungen wurden nicht gespeichert",
  none: "Es sind noch keine Dokumente gefordert",
  noneHint: "Fügen Sie die Dokumente hinzu, die jeder Standort oder jeder Standort eines Portfolios haben muss.",
  portfolioFirst:
    "Nennen die Anforderungen für alle Standorte und für ein Portfolio dieselbe Art, gilt die des Portfolios.",
  chooseType: "Art wählen",
  typeMissing: "Wählen Sie eine Dokumentart",
  daysWrong: `Geben Sie eine ganze Zahl von Tagen ein, von ${expiringDays.minimum} bis ${expiringDays.maximum}`,
  duplicate: (row) => `Dieselbe Dokumentart und dieselben Standorte wie Anforderung ${formatNumber(row)}`,
  atMost: (limit) => `Höchstens ${formatNumber(limit)} Anforderungen sind möglich.`,
  conflictTitle: "Die Anforderungen wurden inzwischen geändert",
  conflict: "Das ist die inzwischen gespeicherte Liste. Ihre Liste steht darüber und ist noch nicht gespeichert.",
  keepMine: "Meine Liste speichern",
  takeTheirs: "Meine Änderungen verwerfen",
  leave: {
    title: "Verlassen, ohne zu speichern?",
    explanation: "Ihre Änderungen an den Anforderungen sind nicht gespeichert.",
    submit: "Verlassen"
  }
}
