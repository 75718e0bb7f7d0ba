/** The company profile: its tabs and its overview. */
import type * as english from "../en/company.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const maximumCounted = 1_000_000

export const companyTexts: Translated<typeof english.companyTexts> = {
  title: "Firmenprofil",
  tabs: "Bereiche des Firmenprofils",
  overview: "Überblick",
  details: "Organisation",
  name: "Name",
  id: "ID",
  status: "Status",
  statusOf: (status) => (status === "active" ? "Aktiv" : "Inaktiv"),
  rename: "Umbenennen …",
  renameDialog: {
    title: "Organisation umbenennen",
    submit: "Umbenennen",
    done: (name) => `Die Organisation heißt jetzt ${name}.`
  },
  use: "Nutzung",
  count: (count) => (count > maximumCounted ? `über ${formatNumber(maximumCounted)}` : formatNumber(count)),
  documents: "Dokumente",
  bytes: "Gespeicherte Dateien",
  measured: (documents) => `der ersten ${formatNumber(documents)} Dokumente`,
  api: "API und Grenzwerte",
  baseAddress: "Basisadresse",
  reference: "API-Referenz",
  openReference: "Referenz öffnen",
  requests: "Anfragen",
  requestsOf: (perMinute) =>
    perMinute === null ? "Unbegrenzt" : `${formatNumber(perMinute)} pro Minute und API-Schlüssel`,
  file: "Größe einer Datei",
  cover: "Größe eines Titelbilds",
  upTo: (size) => `Bis zu ${size}`
}
