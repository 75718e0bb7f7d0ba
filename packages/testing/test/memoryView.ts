/**
 * The records of the in-memory database by their kind, for adapters that are broken on purpose.
 */
import {
  type ApiKeyId,
  type ApiKeyRecord,
  DocumentId,
  type DocumentRecord,
  type FileRecord,
  type Organisation,
  type OrganisationId,
  type Portfolio,
  type PortfolioId,
  type Reach,
  type RequirementListRecord,
  type RequirementRecord,
  reachParts,
  type Site,
  type SiteId,
  type StorageKey,
  type WebhookDeliveryId,
  type WebhookDeliveryRecord,
  type WebhookId,
  type WebhookRecord
} from "@solar-sites/core"
import type { MemoryDatabase } from "@solar-sites/testing"

type Owner = NonNullable<ReturnType<MemoryDatabase["Service"]["get"]>>

/** The maps of an organisation. Changes of them are changes of its records. */
const owned = ({ events, records }: Owner) => {
  const mapOf = <Id extends string, R>(kind: string): Map<Id, R> => {
    const all = records.get(kind) ?? new Map()
    records.set(kind, all)
    // Under the name of a kind are records of that kind.
    return all as Map<Id, R>
  }
  return {
    events,
    organisation: mapOf<OrganisationId, Organisation>("organisation").values().next().value,
    sites: mapOf<SiteId, Site>("site"),
    portfolios: mapOf<PortfolioId, Portfolio>("portfolio"),
    apiKeys: mapOf<ApiKeyId, ApiKeyRecord>("api_key"),
    documents: mapOf<DocumentId, DocumentRecord>("document"),
    deletedFiles: mapOf<DocumentId, FileRecord>("file"),
    requirementLists: mapOf<OrganisationId, RequirementListRecord>("requirement_list"),
    requirements: mapOf<string, RequirementRecord>("requirement"),
    webhooks: mapOf<WebhookId, WebhookRecord>("webhook"),
    deliveries: mapOf<WebhookDeliveryId, WebhookDeliveryRecord>("webhook_delivery")
  }
}

export type Owned = ReturnType<typeof owned>
export type Database = ReturnType<typeof viewOf>

export const viewOf = (database: MemoryDatabase["Service"]) => {
  const entries = () => [...database].map(([id, owner]) => [id, owned(owner)] as const)
  return {
    get: (reach: Reach): Owned | undefined => {
      const owner = database.get(reachParts(reach).organisationId)
      return owner && owned(owner)
    },
    delete: (id: OrganisationId) => database.delete(id),
    keys: () => database.keys(),
    values: () => entries().map(([, owner]) => owner),
    [Symbol.iterator]: () => entries()[Symbol.iterator]()
  }
}

/** The document of a file. */
export const documentIn = (key: StorageKey): DocumentId => DocumentId.make(key.split("/").at(-1) ?? "")
