/** The list of events. */
import { webhookDisabledAfterDays } from "@solar-sites/core/model"
import type { Phrase } from "../../activity/Phrase.ts"
import type * as english from "../en/activity.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"
import { locale } from "./language.ts"

type Texts = Translated<typeof english.activityTexts>

/** By the members of resources. */
const fields: Texts["fields"] = {
  siteName: "Name",
  name: "Name",
  email: "E-Mail",
  role: "Rolle",
  address: "Adresse",
  capacity: "Leistung",
  unit: "Einheit",
  latitude: "Breitengrad",
  longitude: "Längengrad",
  portfolioId: "Portfolio",
  portfolioIds: "Portfolios",
  siteManager: "Standortleitung",
  coverImageUrl: "Titelbild",
  externalId: "Externe ID",
  tags: "Schlagwörter",
  attributes: "Attribute",
  type: "Verwendung",
  documentType: "Dokumentart",
  filename: "Dateiname",
  status: "Status",
  mimeType: "Dateityp",
  sizeBytes: "Größe",
  omRecordId: "O&M-Vorgang",
  failureReason: "Grund",
  reason: "Grund",
  note: "Notiz",
  validFrom: "Gültig ab",
  validUntil: "Gültig bis",
  replaces: "Ersetzt",
  replacedBy: "Ersetzt durch",
  expiresAt: "Läuft ab",
  scopes: "Berechtigungen",
  url: "Adresse",
  events: "Ereignisse",
  description: "Beschreibung",
  enabled: "Aktiv",
  password: "Passwort",
  digest: "E-Mails zu Dokumenten",
  method: "Angemeldet",
  requireSecondFactor: "Zweiter Faktor verlangt",
  requirements: "Anforderungen",
  validityRequired: "Enddatum erforderlich",
  expiringWithinDays: "Läuft bald ab: Tage vorher"
}

const phrases: Texts["phrases"] = {
  "site.created": { before: "hat den Standort", after: "angelegt" },
  "site.updated": { before: "hat den Standort", after: "geändert" },
  "site.deleted": { before: "hat den Standort", after: "gelöscht" },
  "portfolio.created": { before: "hat das Portfolio", after: "angelegt" },
  "portfolio.updated": { before: "hat das Portfolio", after: "geändert" },
  "portfolio.deleted": { before: "hat das Portfolio", after: "gelöscht" },
  "document.requested": { before: "hat begonnen,", after: "hochzuladen" },
  "document.reissued": { before: "hat erneut begonnen,", after: "hochzuladen" },
  "document.uploaded": { before: "hat", after: "hochgeladen" },
  "document.failed": { before: "hat", after: "abgelehnt" },
  "document.approved": { before: "hat", after: "freigegeben" },
  "document.completed": { before: "hat", after: "abgeschlossen" },
  "document.updated": { before: "hat das Dokument", after: "geändert" },
  "document.replaced": { before: "hat", after: "durch eine neue Fassung ersetzt" },
  "document.expiring": { before: "Die Gültigkeit von", after: "endet bald", withoutActor: true },
  "document.expired": { before: "Die Gültigkeit von", after: "ist zu Ende", withoutActor: true },
  "document.deleted": { before: "hat das Dokument", after: "gelöscht" },
  "api_key.created": { before: "hat den API-Schlüssel", after: "angelegt" },
  "api_key.rotated": { before: "hat den API-Schlüssel", after: "ersetzt" },
  "api_key.deleted": { before: "hat den API-Schlüssel", after: "gelöscht" },
  "user.invited": { before: "hat", after: "eingeladen" },
  "user.created": { before: "hat das Benutzerkonto", after: "hinzugefügt" },
  "user.updated": { before: "hat das Benutzerkonto", after: "geändert" },
  "user.deleted": { before: "hat das Benutzerkonto", after: "entfernt" },
  "user.logged_in": { before: "hat sich angemeldet", withoutSubject: true },
  "user.login_failed": { before: "Eine Anmeldung als", after: "ist fehlgeschlagen", withoutActor: true },
  "webhook.created": { before: "hat den Webhook", after: "angelegt" },
  "webhook.updated": { before: "hat den Webhook", after: "geändert" },
  "webhook.deleted": { before: "hat den Webhook", after: "gelöscht" },
  "webhook.disabled": {
    before: "hat den Webhook",
    after: `nach ${webhookDisabledAfterDays} Tagen ohne Erfolg abgeschaltet`
  },
  "requirements.updated": { before: "hat die Dokumentanforderungen geändert", withoutSubject: true },
  "organisation.updated": { before: "hat die Organisation", after: "geändert" }
}

const documentsOf = (count: number): string => (count === 1 ? "1 Dokument" : `${formatNumber(count)} Dokumente`)
const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

/** Words for several events in one line. Other types have a line each. */
const counted: Texts["counted"] = {
  "document.requested": (count) => `hat begonnen, ${documentsOf(count)} hochzuladen`,
  "document.uploaded": (count) => `hat ${documentsOf(count)} hochgeladen`,
  "document.failed": (count) => `hat ${documentsOf(count)} abgelehnt`,
  "document.approved": (count) => `hat ${documentsOf(count)} freigegeben`,
  "document.completed": (count) => `hat ${documentsOf(count)} abgeschlossen`,
  "document.deleted": (count) => `hat ${documentsOf(count)} gelöscht`,
  "site.created": (count) => `hat ${sitesOf(count)} angelegt`,
  "site.deleted": (count) => `hat ${sitesOf(count)} gelöscht`,
  "user.logged_in": (count) => `hat sich ${formatNumber(count)}-mal angemeldet`
}

/** The same by the service itself. */
const ownCounted: Texts["ownCounted"] = {
  ...counted,
  "document.uploaded": (count) => `hat ${documentsOf(count)} empfangen`
}

/** Phrases for changes by the service itself, which sees that a file arrives or is missing. */
const ownPhrases: Texts["ownPhrases"] = {
  "document.uploaded": { before: "hat", after: "empfangen" },
  "document.failed": { before: "hat das Hochladen von", after: "aufgegeben" }
}

const joined: Phrase = { before: "ist der Organisation beigetreten", withoutSubject: true }

export const activityTexts: Texts = {
  title: "Aktivität",
  description: "Jede Änderung, mit der Person oder dem API-Schlüssel dahinter.",
  about: "Thema",
  anyAbout: "Jedes Thema",
  actor: "Von",
  anyActor: "Jede Person, jeder Schlüssel",
  from: "Ab",
  to: "Bis",
  people: "Personen",
  apiKeys: "API-Schlüssel",
  clear: "Filter zurücksetzen",
  groups: {
    sites: "Standorte",
    portfolios: "Portfolios",
    documents: "Dokumente",
    "api-keys": "API-Schlüssel",
    people: "Personen",
    webhooks: "Webhooks",
    requirements: "Dokumentanforderungen",
    organisation: "Organisation"
  },
  none: "Noch keine Aktivität",
  noneFound: "Nichts passt zu den Filtern",
  older: "Ältere Änderungen anzeigen",
  today: "Heute",
  yesterday: "Gestern",
  service: "Solar Sites",
  apiKey: (name) => `API-Schlüssel ${name}`,
  reading: "…",
  formerPortfolio: "ein früheres Portfolio",
  fields,
  phrases,
  ownPhrases,
  joined,
  takenOut: (from) => ({ before: "hat", after: `aus ${from} herausgenommen` }),
  putInto: (to) => ({ before: "hat", after: `in ${to} aufgenommen` }),
  movedTo: (to) => ({ before: "hat", after: `nach ${to} verschoben` }),
  changed: (names, more) => {
    const others = more === 1 ? "1 weiteres Feld" : `${more} weitere Felder`
    const shown = more === 0 ? names : [...names, others]
    return { before: `hat ${new Intl.ListFormat(locale).format(shown)} von`, after: "geändert" }
  },
  counted,
  ownCounted,
  showAll: "Alle anzeigen",
  site: "Standort",
  anySite: "Jeder Standort",
  details: "Einzelheiten",
  detailsOf: ({ subject, type }) => `Einzelheiten zu ${type} ${subject.name ?? ""}`,
  columns: { field: "Feld", from: "Vorher", to: "Nachher" },
  noValue: "–",
  yes: "Ja",
  no: "Nein",
  hidden: "Nicht angezeigt",
  loginFailures: { password: "Falsches Passwort", code: "Falscher Code" }
}
