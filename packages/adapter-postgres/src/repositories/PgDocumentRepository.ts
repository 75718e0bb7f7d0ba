/**
 * Lists documents of the table `document`.
 */
import { DocumentRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import { makeDocumentList } from "./PgDocumentListing.ts"
import { makeRevisions } from "./PgDocumentRevisions.ts"

export const layer: Layer.Layer<DocumentRepository, never, PgClient> = Layer.effect(
  DocumentRepository,
  Effect.map(PgClient, (client) => DocumentRepository.of({ list: makeDocumentList(client), ...makeRevisions(client) }))
)
