/** Documents of all sites. */
import type * as english from "../en/documentList.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const documentsOf = (count: number): string => (count === 1 ? "1 Dokument" : `${formatNumber(count)} Dokumente`)

/** After a preposition. */
const daysOf = (count: number): string => (count === 1 ? "1 Tag" : `${formatNumber(count)} Tagen`)

const expiry = (days: number): string => {
  if (days < 0) return `vor ${daysOf(-days)} abgelaufen`
  return days === 0 ? "läuft heute ab" : `läuft in ${daysOf(days)} ab`
}

const beside = (others: number): string => {
  if (others === 0) return ""
  return others === 1 ? ", nach einer anderen Entscheidung" : `, nach ${formatNumber(others)} anderen Entscheidungen`
}

export const documentListTexts: Translated<typeof english.documentListTexts> = {
  title: "Dokumente",
  tabs: "Ansichten der Dokumente",
  views: { review: "Zu prüfen", expiring: "Läuft ab", all: "Alle" },
  columns: { site: "Standort", validUntil: "Gültig bis" },
  count: documentsOf,
  countOfPage: (count) => `${documentsOf(count)} auf dieser Seite`,
  stateFilter: "Status",
  typeFilter: "Art",
  daysFilter: "Läuft ab innerhalb von",
  within: (count) => `Innerhalb von ${daysOf(count)}`,
  expiry,
  none: {
    review: "Nichts zu prüfen",
    expiring: "In dieser Zeit läuft nichts ab",
    all: "Es gibt noch keine Dokumente"
  },
  noneHint: {
    review: "Dokumente erscheinen hier, sobald ihre Dateien eingetroffen sind.",
    expiring: "Hier erscheinen aktuelle Dokumente, deren Gültigkeit endet, auch die schon abgelaufenen.",
    all: "Laden Sie Dateien hoch, und wählen Sie den Standort dazu."
  },
  pageDone: "Über jedes Dokument dieser Seite ist entschieden",
  nextDocuments: "Nächste Dokumente",
  noneFound: "Dazu passt kein Dokument",
  noneFoundHint: "Suchen Sie nach weniger, oder setzen Sie die Filter zurück.",
  showAll: "Filter zurücksetzen",
  keys: "Tasten: J und K bewegen, Eingabe öffnet, A gibt frei, R lehnt ab, X wählt aus, Z nimmt eine Entscheidung zurück.",
  keysToMove: "Tasten: J und K bewegen, Eingabe öffnet.",
  select: (name) => `${name} auswählen`,
  selectPage: "Alle Dokumente dieser Seite auswählen",
  approve: "Freigeben …",
  approveTitle: (count) => `${documentsOf(count)} freigeben?`,
  approveHint: "Dokumente, die sich seit der Auswahl geändert haben, werden nicht freigegeben.",
  approveAction: (count) => `${documentsOf(count)} freigeben`,
  approved: (count) => `${documentsOf(count)} freigegeben.`,
  decided: {
    approved: (name, others) => `${name} ist freigegeben${beside(others)}.`,
    failed: (name, others) => `${name} ist abgelehnt${beside(others)}.`
  },
  undo: "Rückgängig",
  undoOf: {
    approved: (name) => `Freigabe von ${name} zurücknehmen`,
    failed: (name) => `Ablehnung von ${name} zurücknehmen`
  },
  notDecided: {
    approved: (name) => `${name} wurde nicht freigegeben`,
    failed: (name) => `${name} wurde nicht abgelehnt`
  },
  reject: "Ablehnen …",
  rejectTitle: (count) => `${documentsOf(count)} ablehnen?`,
  rejectHint: "Das lesen die Absender der Dateien.",
  rejectAction: (count) => `${documentsOf(count)} ablehnen`,
  rejected: (count) => `${documentsOf(count)} abgelehnt.`
}
