/**
 * Keeps documents in the table `document`.
 */
import { DocumentRepository, documentRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import * as PgRecords from "../records/PgRecords.ts"
import { makeDocumentList } from "./PgDocumentListing.ts"
import { makeRevisions } from "./PgDocumentRevisions.ts"

export const layer: Layer.Layer<DocumentRepository, never, PgClient> = Layer.effect(
  DocumentRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    return DocumentRepository.of({
      ...(yield* documentRecords),
      list: makeDocumentList(client),
      ...makeRevisions(client)
    })
  })
).pipe(Layer.provide(PgRecords.layer))
