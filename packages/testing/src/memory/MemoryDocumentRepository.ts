/**
 * `DocumentRepository` and `DocumentMaintenance` in memory.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  type Document,
  type DocumentConditions,
  type DocumentMaintenance,
  DocumentRepository,
  documentSortKeys,
  MaximumPageBytes
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, type Owned, ownedBy } from "./MemoryDatabase.ts"
import { isCurrent, revisionsOf } from "./MemoryDocumentChain.ts"
import * as MemoryDocumentMaintenance from "./MemoryDocumentMaintenance.ts"
import { isAfter, isFound, sortedPageOf } from "./MemoryFinding.ts"

const meets = ({ sites }: Owned, conditions: DocumentConditions) => {
  const { current, documentType, omRecordId, portfolioId, q, siteId, status, type, updatedAfter, ...others } =
    conditions
  const { validUntilBefore, ...rest } = others
  allConditionsRead(rest)
  return (document: Document): boolean =>
    (current === undefined || isCurrent(document) === current) &&
    (siteId === undefined || document.siteId === siteId) &&
    (type === undefined || document.type === type) &&
    (documentType === undefined || document.documentType === documentType) &&
    (status === undefined || document.status === status) &&
    (omRecordId === undefined || document.omRecordId === omRecordId) &&
    (portfolioId === undefined || sites.get(document.siteId)?.portfolioId === portfolioId) &&
    (validUntilBefore === undefined || (document.validUntil !== null && document.validUntil < validUntilBefore)) &&
    isAfter(document.updatedAt, updatedAfter) &&
    isFound(q, document.filename, document.note)
}

const repository: Layer.Layer<DocumentRepository, never, MemoryDatabase> = Layer.effect(
  DocumentRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return DocumentRepository.of({
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owned = ownedBy(database, organisationId)
          const documents = [...owned.documents.values()].map(({ document }) => document)
          return sortedPageOf(documents.filter(meets(owned, conditions)), page, documentSortKeys, bytes)
        }),
      listRevisions: (organisationId, documentId, page) =>
        Effect.sync(() => revisionsOf(ownedBy(database, organisationId).documents, documentId, page))
    })
  })
)

/**
 * Both ports on the memory of the other repositories.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<DocumentRepository | DocumentMaintenance, never, MemoryDatabase> = Layer.merge(
  repository,
  MemoryDocumentMaintenance.layer
)
