/**
 * State of the in-memory adapters. All records are grouped by organisation, so that no method can
 * reach into another one. Methods yield only to fail: code without a yield is one atomic step.
 */
import {
  type ApiKeyId,
  type ApiKeyRecord,
  type Document,
  type DocumentId,
  type Event,
  type FileRecord,
  type Organisation,
  type OrganisationId,
  type Portfolio,
  type PortfolioId,
  RepositoryError,
  type RequirementListRecord,
  type RequirementRecord,
  type Site,
  type SiteId,
  type StorageKey,
  type WebhookDelivery,
  type WebhookDeliveryId,
  type WebhookId,
  type WebhookRecord
} from "@solar-sites/core"
import { Context, type DateTime, Layer } from "effect"

/**
 * A document with internal fields of the repository: the size restored by a reopen, the expiry of
 * its last address, the time of its next verification, whether its file was refused, and how often documents
 * began to name it in `replaces`.
 */
export interface MemoryDocument {
  readonly document: Document
  readonly declaredBytes: number | null
  readonly addressExpiresAt: DateTime.Utc
  readonly dueAt: DateTime.Utc
  readonly refused: boolean
  readonly replacementRequests: number
}

/**
 * One organisation and its records. Records are frozen; a change replaces them. `siteCount` and
 * `capacityKw` of portfolios are computed on reading.
 */
export interface MemoryOrganisation {
  /** Null after deletion: files listed for deletion stay. */
  organisation: Organisation | null
  readonly sites: Map<SiteId, Site>
  readonly portfolios: Map<PortfolioId, Portfolio>
  readonly apiKeys: Map<ApiKeyId, ApiKeyRecord>
  readonly documents: Map<DocumentId, MemoryDocument>
  readonly deletedFiles: Map<StorageKey, FileRecord>
  /** The list of requirements of the organisation, at most one, and its entries. */
  readonly requirementLists: Map<OrganisationId, RequirementListRecord>
  readonly requirements: Map<string, RequirementRecord>
  readonly events: MemoryEvents
  readonly webhooks: Map<WebhookId, WebhookRecord>
  readonly deliveries: Map<WebhookId, MemoryDeliveries>
}

/** A delivery with internal fields of the queue. `sequence` is null for a test. */
export interface MemoryDelivery {
  readonly delivery: WebhookDelivery
  readonly sequence: number | null
  readonly createdAt: DateTime.Utc
  readonly claimedUntil: DateTime.Utc | null
}

export type MemoryDeliveries = Map<WebhookDeliveryId, MemoryDelivery>

/** Events in ascending order of sequence. `last` outlives the purge of events. */
interface MemoryEvents {
  readonly kept: Array<Event>
  last: number
}

export type Owned = Omit<MemoryOrganisation, "organisation">

/**
 * All organisations by id.
 *
 * @category services
 * @since 0.1.0
 */
export class MemoryDatabase extends Context.Service<MemoryDatabase, Map<OrganisationId, MemoryOrganisation>>()(
  "@solar-sites/testing/MemoryDatabase"
) {
  /** Empty each time it is built. */
  static readonly layer: Layer.Layer<MemoryDatabase> = Layer.sync(MemoryDatabase, () => new Map())
}

const nothing = (): Owned => ({
  sites: new Map(),
  portfolios: new Map(),
  apiKeys: new Map(),
  documents: new Map(),
  deletedFiles: new Map(),
  requirementLists: new Map(),
  requirements: new Map(),
  events: { kept: [], last: 0 },
  webhooks: new Map(),
  deliveries: new Map()
})

/** An organisation without records. */
export const emptyOrganisation = (organisation: Organisation): MemoryOrganisation => ({ organisation, ...nothing() })

/** The organisation with its records; undefined when it does not exist. */
export const ownerOf = (
  database: MemoryDatabase["Service"],
  organisationId: OrganisationId
): (MemoryOrganisation & { readonly organisation: Organisation }) | undefined => {
  const owner = database.get(organisationId)
  // The condition narrows a property, which TypeScript does not track.
  return owner?.organisation ? (owner as MemoryOrganisation & { organisation: Organisation }) : undefined
}

/** The records of the organisation; none when it does not exist. */
export const ownedBy = (database: MemoryDatabase["Service"], organisationId: OrganisationId): Owned =>
  database.get(organisationId) ?? nothing()

/**
 * Failure of a duplicate id or digest, like a unique constraint. Both are generated, so this is a
 * bug.
 */
export const duplicate = (operation: string): RepositoryError =>
  new RepositoryError({ operation, retryable: false, cause: new Error("duplicate id or digest") })
