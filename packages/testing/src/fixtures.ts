/**
 * Valid models for tests. Ids are unique and ascending; instants are fixed.
 */
import {
  ApiKey,
  ApiKeyId,
  ApiKeySecret,
  apiScopes,
  capacityKw,
  Document,
  DocumentId,
  type DocumentRequirement,
  emptySiteMembers,
  makeUuidV7,
  Organisation,
  OrganisationId,
  Portfolio,
  PortfolioId,
  Site,
  SiteId,
  storageKey,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookId
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"

const nextId = makeUuidV7()

/** A new id of any kind of record. */
export const anId = (): string => Effect.runSync(nextId)

const instant = DateTime.makeUnsafe("2026-03-29T01:59:59.987Z")
const aYearLater = DateTime.add(instant, { years: 1 })

export const anOrganisationId = (): OrganisationId => OrganisationId.make(anId())

/** An active organisation. */
export const anOrganisation = (overrides: Partial<Organisation> = {}): Organisation =>
  new Organisation({ id: anOrganisationId(), name: "Sunfield Energy", status: "active", ...overrides })

/**
 * A site of 750 kW without optional members, by default in a new organisation. `capacityKw` follows
 * `capacity` and `unit`.
 */
export const aSite = (overrides: Partial<Site> = {}): Site => {
  const { capacity = 750, unit = "kW" } = overrides
  return new Site({
    id: SiteId.make(anId()),
    organisationId: overrides.organisationId ?? anOrganisationId(),
    siteName: "Long Meadow",
    capacity,
    unit,
    ...emptySiteMembers,
    capacityKw: capacityKw(capacity, unit),
    createdAt: instant,
    updatedAt: instant,
    version: 1,
    ...overrides
  })
}

/** An empty portfolio, by default in a new organisation. */
export const aPortfolio = (overrides: Partial<Portfolio> = {}): Portfolio =>
  new Portfolio({
    id: PortfolioId.make(anId()),
    organisationId: overrides.organisationId ?? anOrganisationId(),
    name: "South West",
    siteCount: 0,
    capacityKw: 0,
    createdAt: instant,
    updatedAt: instant,
    version: 1,
    externalId: null,
    ...overrides
  })

/**
 * A pending document of 1,024 bytes without optional members, by default of a new organisation and
 * site. `path` follows the ids.
 */
export const aDocument = (overrides: Partial<Document> = {}): Document => {
  const { id = DocumentId.make(anId()), organisationId = anOrganisationId(), siteId = SiteId.make(anId()) } = overrides
  return new Document({
    id,
    organisationId,
    siteId,
    type: "documents",
    documentType: null,
    filename: "Handover.pdf",
    path: storageKey({ organisationId, siteId, documentId: id }),
    status: "pending",
    mimeType: "application/pdf",
    sizeBytes: 1_024,
    uploadedBy: null,
    omRecordId: null,
    failureReason: null,
    createdAt: instant,
    updatedAt: instant,
    version: 1,
    note: null,
    validFrom: null,
    validUntil: null,
    replaces: null,
    replacedBy: null,
    ...overrides
  })
}

/** An insurance that each site of the organisation needs. */
export const aRequirement = (overrides: Partial<DocumentRequirement> = {}): DocumentRequirement => ({
  documentType: "insurance",
  validityRequired: false,
  portfolioId: null,
  expiringWithinDays: 30,
  ...overrides
})

/**
 * An unused key with all scopes that lives for a year, by default in a new organisation. Its secret is discarded.
 */
export const anApiKey = (overrides: Partial<ApiKey> = {}): ApiKey =>
  new ApiKey({
    id: ApiKeyId.make(anId()),
    organisationId: overrides.organisationId ?? anOrganisationId(),
    name: "Reporting",
    prefix: ApiKeySecret.shownPrefix(Effect.runSync(ApiKeySecret.generate)),
    createdBy: null,
    createdAt: instant,
    expiresAt: aYearLater,
    lastUsedAt: null,
    scopes: apiScopes,
    portfolioIds: null,
    ...overrides
  })

/** The digest of a new key, which is discarded. */
export const anApiKeyDigest = (): ApiKeySecret.ApiKeyDigest =>
  ApiKeySecret.digest(Effect.runSync(ApiKeySecret.generate))

/** An enabled webhook of all events, without deliveries. */
export const aWebhook = (overrides: Partial<Webhook> = {}): Webhook =>
  new Webhook({
    id: WebhookId.make(anId()),
    url: "https://example.com/events?token=value",
    events: ["*"],
    description: null,
    enabled: true,
    createdAt: instant,
    updatedAt: instant,
    version: 1,
    lastDelivery: null,
    ...overrides
  })

/** A successful delivery of a test. */
export const aWebhookDelivery = (overrides: Partial<WebhookDelivery> = {}): WebhookDelivery =>
  new WebhookDelivery({
    id: WebhookDeliveryId.make(anId()),
    eventId: anId(),
    type: "webhook.test",
    attempt: 1,
    status: "delivered",
    responseStatus: 204,
    error: null,
    at: instant,
    nextAttemptAt: null,
    ...overrides
  })
