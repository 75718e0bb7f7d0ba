/** The list of events. */
import { webhookDisabledAfterDays } from "@solar-sites/core/model"
import type { Event } from "@solar-sites/http-node/client"
import type { EventGroup } from "../../activity/eventFilters.ts"
import type { Phrase } from "../../activity/Phrase.ts"
import { formatNumber } from "../formats.ts"
import { locale } from "./language.ts"

/** By the members of resources. */
const fields: Readonly<Record<string, string>> = {
  siteName: "Name",
  name: "Name",
  email: "E-mail",
  role: "Role",
  address: "Address",
  capacity: "Capacity",
  unit: "Unit",
  latitude: "Latitude",
  longitude: "Longitude",
  portfolioId: "Portfolio",
  portfolioIds: "Portfolios",
  siteManager: "Site manager",
  coverImageUrl: "Cover image",
  externalId: "External id",
  tags: "Tags",
  attributes: "Attributes",
  type: "Used as",
  documentType: "Kind",
  filename: "File name",
  status: "Status",
  mimeType: "File type",
  sizeBytes: "Size",
  omRecordId: "O&M record",
  failureReason: "Reason",
  reason: "Reason",
  note: "Note",
  validFrom: "Valid from",
  validUntil: "Valid until",
  replaces: "Replaces",
  replacedBy: "Replaced by",
  expiresAt: "Expires",
  scopes: "Scopes",
  url: "Address",
  events: "Events",
  description: "Description",
  enabled: "Enabled",
  password: "Password",
  digest: "Mails about documents",
  method: "Logged in by",
  requireSecondFactor: "Second factor demanded",
  requirements: "Requirements",
  validityRequired: "End date required",
  expiringWithinDays: "Expiring within days"
}

const phrases: Readonly<Record<Event["type"], Phrase>> = {
  "site.created": { before: "created the site" },
  "site.updated": { before: "changed the site" },
  "site.deleted": { before: "deleted the site" },
  "portfolio.created": { before: "created the portfolio" },
  "portfolio.updated": { before: "changed the portfolio" },
  "portfolio.deleted": { before: "deleted the portfolio" },
  "document.requested": { before: "started the upload of" },
  "document.reissued": { before: "restarted the upload of" },
  "document.uploaded": { before: "uploaded" },
  "document.failed": { before: "rejected" },
  "document.expiring": { before: "The validity of", after: "ends soon", withoutActor: true },
  "document.expired": { before: "The validity of", after: "has ended", withoutActor: true },
  "document.approved": { before: "approved" },
  "document.completed": { before: "completed" },
  "document.updated": { before: "changed the document" },
  "document.replaced": { before: "replaced", after: "by a new revision" },
  "document.deleted": { before: "deleted the document" },
  "api_key.created": { before: "created the API key" },
  "api_key.rotated": { before: "replaced the API key" },
  "api_key.deleted": { before: "deleted the API key" },
  "user.invited": { before: "invited" },
  "user.created": { before: "added the user" },
  "user.updated": { before: "changed the user" },
  "user.deleted": { before: "removed the user" },
  "user.logged_in": { before: "logged in", withoutSubject: true },
  "user.login_failed": { before: "A login as", after: "failed", withoutActor: true },
  "webhook.created": { before: "created the webhook" },
  "webhook.updated": { before: "changed the webhook" },
  "webhook.deleted": { before: "deleted the webhook" },
  "webhook.disabled": {
    before: "disabled the webhook",
    after: `after ${webhookDisabledAfterDays} days without a success`
  },
  "requirements.updated": { before: "changed the document requirements", withoutSubject: true },
  "organisation.updated": { before: "changed the organisation" }
}

const documentsOf = (count: number): string => `${formatNumber(count)} documents`
const sitesOf = (count: number): string => `${formatNumber(count)} sites`

/** Phrases for several events of a person in one line. Events of other types have a line each. */
const counted: Partial<Readonly<Record<Event["type"], (count: number) => string>>> = {
  "document.requested": (count) => `started the upload of ${documentsOf(count)}`,
  "document.uploaded": (count) => `uploaded ${documentsOf(count)}`,
  "document.failed": (count) => `rejected ${documentsOf(count)}`,
  "document.approved": (count) => `approved ${documentsOf(count)}`,
  "document.completed": (count) => `completed ${documentsOf(count)}`,
  "document.deleted": (count) => `deleted ${documentsOf(count)}`,
  "site.created": (count) => `created ${sitesOf(count)}`,
  "site.deleted": (count) => `deleted ${sitesOf(count)}`,
  "user.logged_in": (count) => `logged in ${formatNumber(count)} times`
}

/** The same by the service itself. */
const ownCounted: typeof counted = { ...counted, "document.uploaded": (count) => `received ${documentsOf(count)}` }

/** Phrases for changes by the service itself, which sees that a file arrives or is missing. */
const ownPhrases: Partial<Readonly<Record<Event["type"], Phrase>>> = {
  "document.uploaded": { before: "received" },
  "document.failed": { before: "gave up the upload of" }
}

const joined: Phrase = { before: "joined the organisation", withoutSubject: true }

export const activityTexts = {
  title: "Activity",
  description: "Every change, and the person or API key that made it.",
  about: "About",
  anyAbout: "Any subject",
  actor: "By",
  anyActor: "Any person or key",
  from: "From",
  to: "To",
  people: "People",
  apiKeys: "API keys",
  clear: "Clear filters",
  groups: {
    sites: "Sites",
    portfolios: "Portfolios",
    documents: "Documents",
    "api-keys": "API keys",
    people: "People",
    webhooks: "Webhooks",
    requirements: "Document requirements",
    organisation: "Organisation"
  } satisfies Readonly<Record<EventGroup, string>>,
  none: "No activity yet",
  noneFound: "Nothing here fits the filters",
  older: "Show older changes",
  today: "Today",
  yesterday: "Yesterday",
  service: "Solar Sites",
  apiKey: (name: string) => `API key ${name}`,
  reading: "…",
  formerPortfolio: "a former portfolio",
  fields,
  phrases,
  ownPhrases,
  joined,
  /** A site that changes its portfolio. */
  takenOut: (from: string): Phrase => ({ before: "took", after: `out of ${from}` }),
  putInto: (to: string): Phrase => ({ before: "put", after: `into ${to}` }),
  movedTo: (to: string): Phrase => ({ before: "moved", after: `to ${to}` }),
  /** Such as `changed capacity and note of`: up to two fields by name with `more` others, or three. */
  changed: (names: ReadonlyArray<string>, more: number): Phrase => {
    const lower = names.map((name) => name.replace(/^[A-Z](?=[a-z-])/, (first) => first.toLowerCase()))
    const shown = more === 0 ? lower : [...lower, `${more} more fields`]
    return { before: `changed ${new Intl.ListFormat(locale).format(shown)} of` }
  },
  counted,
  ownCounted,
  showAll: "Show all",
  site: "Site",
  anySite: "Any site",
  details: "Details",
  detailsOf: ({ subject, type }: Event) => `Details of ${type} ${subject.name ?? ""}`,
  columns: { field: "Field", from: "Before", to: "After" },
  noValue: "–",
  yes: "Yes",
  no: "No",
  hidden: "Not shown",
  loginFailures: { password: "Wrong password", code: "Wrong code" }
}
