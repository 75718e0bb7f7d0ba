/** Uploads: the dialog before them, and the tray that shows them. */
import type * as english from "../en/uploads.ts"
import { asSentence, formatBytes, formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const filesOf = (count: number): string => (count === 1 ? "1 Datei" : `${formatNumber(count)} Dateien`)

export const uploadTexts: Translated<typeof english.uploadTexts> = {
  open: "Dateien hochladen",
  site: "Standort",
  siteHint: "Suchen Sie nach Name, Adresse oder externer ID.",
  goOn: "Weiter",
  dialog: (site) => `Hochladen zu ${site}`,
  dropOn: (site) => `Ablegen, um zu ${site} hochzuladen`,
  drop: "Ziehen Sie Dateien oder Ordner hierher, oder",
  choose: "Dateien wählen",
  chooseMore: "Dateien hinzufügen",
  chooseFolder: "Ordner wählen",
  limits: ({ maximumCoverBytes, maximumFileBytes }) =>
    `Je Datei bis zu ${formatBytes(maximumFileBytes)}; Titelbilder (JPEG, PNG oder WebP) bis zu ${formatBytes(maximumCoverBytes)}.`,
  allFiles: "Alle Dateien",
  files: "Hochzuladende Dateien",
  purpose: "Verwendung",
  documentType: "Dokumentart",
  noDocumentType: "Keine Angabe",
  neededTypes: "Für diesen Standort gefordert",
  otherTypes: "Andere Arten",
  different: "Verschieden",
  validFrom: "Gültig ab",
  validUntil: "Gültig bis",
  datesPerFile: "Gültigkeit je Datei …",
  omRecordId: "O&M-Vorgang",
  of: (label, filename) => `${label}: ${filename}`,
  by: (filename) => `durch ${filename}`,
  replaces: "Ersetzt",
  replacesChoose: "Ein Dokument ersetzen …",
  replacesSearch: "Dokumente dieses Standorts durchsuchen",
  replacesNone: "Dazu passt kein aktuelles Dokument",
  replacesName: (filename) => `Ersetzt ${filename}`,
  replacesClear: (filename) => `Kein Dokument durch ${filename} ersetzen`,
  removeDraft: (filename) => `${filename} weglassen`,
  unknownType: "unbekannter Typ",
  pages: "Seiten der Dateien",
  page: (page) => `Seite ${page} der Dateien`,
  previousPage: "Vorige Dateien",
  nextPage: "Nächste Dateien",
  faultsTitle: (count) =>
    count === 1 ? "1 Datei wird nicht gesendet" : `${formatNumber(count)} Dateien werden nicht gesendet`,
  fault: (filename, fault) => `${filename}: ${fault}`,
  moreFaults: (count) => `und ${formatNumber(count)} weitere`,
  tooMany: (maximum) =>
    `Höchstens ${formatNumber(maximum)} Dateien werden auf einmal gesendet. Die übrigen werden weggelassen.`,
  empty: "Die Datei ist leer.",
  badName: (rule) => `Der Dateiname ${rule}.`,
  tooLarge: (purpose, { maximumCoverBytes, maximumFileBytes }) =>
    `Größer als ${formatBytes(purpose === "coverImage" ? maximumCoverBytes : maximumFileBytes)}.`,
  omRecordMissing: "Geben Sie an, zu welchem O&M-Vorgang die Datei gehört.",
  validityReversed: "Die Gültigkeit endet, bevor sie beginnt.",
  send: (count) => `${filesOf(count)} hochladen`,

  tray: "Uploads",
  trayUnderWay: (count) =>
    count === 1 ? "1 Datei wird hochgeladen" : `${formatNumber(count)} Dateien werden hochgeladen`,
  trayDone: "Hochladen beendet",
  trayFaults: (count) => `${filesOf(count)} nicht hochgeladen`,
  expand: "Uploads anzeigen",
  collapse: "Uploads ausblenden",
  progress: (name) => `Fortschritt von ${name}`,
  sent: (sent, total) => `${formatBytes(sent)} von ${formatBytes(total)}`,
  offline: "Sie sind offline. Was unterbrochen wird, können Sie erneut senden, sobald die Verbindung wieder da ist.",
  states: {
    waiting: "Wartet",
    sending: "Wird gesendet",
    checking: "Wird geprüft",
    uploaded: "Hochgeladen",
    refused: "Zurückgewiesen",
    interrupted: "Unterbrochen",
    failed: "Fehlgeschlagen",
    stopped: "Angehalten"
  },
  noAnswer: "keine Antwort zu dieser Datei",
  noConnection: "Die Verbindung ist abgebrochen.",
  noStorage: (origin) =>
    `Keine Antwort von ${origin}, wo die Dateien gespeichert werden: Die Adresse ist nicht erreichbar, oder diese Seite darf dorthin nichts senden. Öffnen Sie die Konsole unter der Adresse, die der Server ausgibt, oder lassen Sie den Betreiber PUBLIC_URL setzen.`,
  tooSlow: "Die Datei wurde nicht rechtzeitig gesendet.",
  documentFailed: (reason) =>
    reason === ""
      ? "Der Server hat das Dokument nicht angenommen."
      : `Der Server hat das Dokument nicht angenommen: ${reason}.`,
  code: (code, detail) => `${asSentence(detail)} (${code})`,
  retry: (name) => `Erneut senden: ${name}`,
  retryShort: "Erneut senden",
  retryAll: (count) => `${filesOf(count)} erneut senden`,
  dismiss: (name) => `${name} aus dieser Liste entfernen`,
  stop: (name) => `Senden von ${name} anhalten`,
  stopAll: "Alle anhalten",
  dismissUploaded: "Hochgeladene ausblenden",
  dismissStopped: "Angehaltene ausblenden",
  moreWaiting: (count) => `${formatNumber(count)} weitere zu senden`,
  moreFaulty: (count) => `${formatNumber(count)} weitere nicht hochgeladen`,
  moreUploaded: (count) => `${formatNumber(count)} weitere hochgeladen`,
  summary: (uploaded, all) =>
    `${formatNumber(uploaded)} von ${all === 1 ? "1 Datei" : `${formatNumber(all)} Dateien`} hochgeladen`
}
