/**
 * `DocumentRepository` and `DocumentMaintenance` in memory.
 *
 * @since 0.1.0
 */
import {
  type DocumentMaintenance,
  DocumentRepository,
  MaximumPageBytes,
  pageOfDocuments,
  pageOfRevisions,
  type SiteId
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryDocumentMaintenance from "./MemoryDocumentMaintenance.ts"
import { documentsIn } from "./MemoryDocumentRecords.ts"

const repository: Layer.Layer<DocumentRepository, never, MemoryDatabase> = Layer.effect(
  DocumentRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return DocumentRepository.of({
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(organisationId)
          const portfolioOf = (siteId: SiteId) => owner?.sites.get(siteId)?.portfolioId ?? null
          return pageOfDocuments(documentsIn(owner).values(), conditions, page, bytes, portfolioOf)
        }),
      listRevisions: (organisationId, documentId, page) =>
        Effect.sync(() => pageOfRevisions(documentsIn(database.get(organisationId)).get, documentId, page))
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
