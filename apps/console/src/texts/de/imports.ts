/** The import of sites from a file. */
import type * as english from "../en/imports.ts"
import { formatBytes, formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const importTexts: Translated<typeof english.importTexts> = {
  title: "Standorte importieren",
  description: "Aus einer CSV-Datei oder einer XLSX-Arbeitsmappe. Gespeichert wird erst, wenn jede Zeile gültig ist.",
  back: "Standorte",
  drop: "Ziehen Sie eine Datei hierher, oder",
  choose: "Datei wählen",
  template: "Vorlage herunterladen",
  templateFile: "Standorte für den Import.csv",
  chooseOther: "Andere Datei wählen",
  limit: (bytes) =>
    `CSV oder XLSX (das erste Blatt), höchstens ${formatBytes(bytes)}. Die erste Zeile benennt die Spalten.`,
  dropOnPage: "Zum Importieren ablegen",
  tooLarge: (name, bytes) =>
    `${name} ist größer als ${formatBytes(bytes)}. Teilen Sie die Datei, oder importieren Sie sie mit dem Befehl solar-sites import.`,
  oneFile: "Wählen Sie nur eine Datei.",
  unreadable: "Die Datei kann nicht gelesen werden",
  columns: "Spalten",
  columnsHint: "Legen Sie fest, was jede Spalte enthält. Vorschläge sind markiert; prüfen Sie, ob sie stimmen.",
  table: "Spalten der Datei",
  heads: { column: "Spalte", samples: "Erste Werte", member: "Enthält" },
  holds: (header) => `Inhalt von ${header}`,
  attributeName: (header) => `Name des Attributs für ${header}`,
  undecided: "Wählen …",
  attribute: "Ein Attribut",
  leaveOut: "Weglassen",
  suggested: "Vorschlag",
  chooseMember: "Wählen Sie einen Inhalt, oder lassen Sie die Spalte weg.",
  restAsAttributes: "Die übrigen als Attribute übernehmen",
  restOut: "Die übrigen weglassen",
  members: {
    siteName: "Name",
    capacity: "Leistung",
    unit: "Einheit",
    address: "Adresse",
    latitude: "Breitengrad",
    longitude: "Längengrad",
    portfolio: "Portfolio (externe ID oder Name)",
    portfolioId: "Portfolio (ID)",
    coverImageUrl: "Titelbild (Adresse)",
    externalId: "Externe ID",
    tags: "Schlagwörter",
    attributes: "Alle Attribute (JSON)",
    "siteManager.name": "Standortleitung: Name",
    "siteManager.email": "Standortleitung: E-Mail",
    "siteManager.phone": "Standortleitung: Telefon",
    "siteManager.company": "Standortleitung: Firma",
    "siteManager.userId": "Standortleitung: Benutzer-ID"
  },
  upsert: "Vorhandene Standorte ändern",
  upsertHint: "Eine Zeile ändert den Standort mit ihrer externen ID. Sonst ist eine solche Zeile ein Fehler.",
  check: "Datei prüfen",
  checked: "Prüfung",
  checkFailed: "Die Datei wurde nicht geprüft",
  would: (created, updated, unchanged) =>
    `${sitesOf(created)} anzulegen, ${formatNumber(updated)} zu ändern, ${formatNumber(unchanged)} unverändert.`,
  faultCount: (count) =>
    `${formatNumber(count)} Fehler. Es wurde nichts gespeichert. Korrigieren Sie die Zellen hier, oder verbessern Sie die Datei, und wählen Sie sie noch einmal.`,
  correctHere: "Zellen hier korrigieren",
  checkAgain: "Noch einmal prüfen",
  cellAt: (row, column) => `Zeile ${formatNumber(row)}, ${column}`,
  correctedFile: "Korrigierte Datei herunterladen",
  correctedFileName: (name) => `${name.replace(/\.\w+$/, "")} korrigiert.csv`,
  shownFaults: (shown, count) =>
    shown < count ? `Die ersten ${formatNumber(shown)} werden angezeigt; der Bericht enthält die ersten 1.000.` : "",
  faults: "Fehler",
  faultHeads: { row: "Zeile", column: "Spalte", cell: "Zelle", code: "Code", detail: "Was nicht stimmt" },
  report: "Bericht herunterladen",
  faultyFile: "Datei mit ihren Fehlern herunterladen",
  faultyFileName: (name) => `${name} mit Fehlern.csv`,
  faultyFileFailed: "Die Datei wurde nicht erzeugt",
  start: (count) => `${sitesOf(count)} importieren`,
  nothing: "Jede Zeile ist schon so gespeichert, wie sie in der Datei steht.",
  startFailed: "Der Import wurde nicht begonnen",
  recent: "Letzte Importe",
  recentTable: "Letzte Importe",
  recentHeads: { file: "Datei", state: "Status", result: "Ergebnis", started: "Begonnen" },
  states: {
    running: "Läuft",
    completed: "Abgeschlossen",
    failed: "Nicht abgeschlossen",
    stopped: "Unterbrochen"
  },
  stopped: "Der Server wurde angehalten.",
  checking: (row) => (row === 0 ? "Wird geprüft" : `Wird geprüft, Zeile ${formatNumber(row)}`),
  progress: (row, rows) => `Zeile ${formatNumber(row)} von ${formatNumber(rows)} gespeichert`,
  progressOf: (name) => `Fortschritt von ${name}`,
  result: (created, updated, unchanged) =>
    `${formatNumber(created)} angelegt, ${formatNumber(updated)} geändert, ${formatNumber(unchanged)} unverändert`,
  partly: (row) => (row === 0 ? "Es ist nichts gespeichert." : `Die Zeilen bis ${formatNumber(row)} sind gespeichert.`),
  continue: "Fortsetzen",
  continueNamed: (name) => `${name} noch einmal wählen, um den Import fortzusetzen`,
  otherFile: (name) => `Das ist nicht die Datei, die als ${name} importiert wurde, oder sie hat sich seitdem geändert.`,
  continueFailed: "Der Import wurde nicht fortgesetzt",
  goesOn: "Der Import läuft weiter, wenn Sie diese Seite schließen.",
  showSites: "Standorte anzeigen"
}
