/**
 * Commands about documents: `load → rule → commit`.
 */
import { Effect, Option } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { Records } from "../records/Records.ts"
import { SiteId } from "../sites/Site.ts"
import { parseStorageKey } from "../storage/StorageKey.ts"
import { DocumentId } from "./Document.ts"
import type { DocumentCommands } from "./DocumentCommands.ts"
import { documentKind, documentOf, documentReference } from "./DocumentKind.ts"
import {
  deleteDocument,
  findsOfDeletion,
  findsOfStep,
  findsOfUpdate,
  stepDocument,
  updateDocument
} from "./DocumentRules.ts"
import { claimFile, findsOfClaim } from "./FileRules.ts"
import { findsOfReview, reviewDocument } from "./ReviewRules.ts"
import { assumedForIssue, findsOfIssue, findsOfReopening, issueUploads, reopenDocument } from "./UploadRules.ts"

export const documentRecords: Effect.Effect<DocumentCommands, never, Records> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const { create, update } = makeDeciding(records)

  return {
    insertMany: Effect.fnUntraced(function* (organisationId, siteId, documents, addressExpiresAt, claims) {
      const origin = yield* originOf(organisationId)
      const issue = { organisationId, siteId, documents, addressExpiresAt, claims, at: origin.occurredAt }
      const command = {
        operation: "DocumentRepository.insertMany",
        organisationId,
        finds: findsOfIssue(issue),
        rule: issueUploads(issue, origin)
      }
      return yield* create(command, assumedForIssue(issue))
    }),

    findById: (organisationId, documentId) =>
      Effect.map(records.load("DocumentRepository.findById", organisationId, findsOfUpdate(documentId)), (found) =>
        Option.map(Option.fromNullOr(found.byId(documentKind, documentId)), ({ record }) => documentOf(record))
      ),

    findExisting: (organisationId, documentIds) =>
      Effect.map(
        records.load("DocumentRepository.findExisting", organisationId, [
          { kind: documentReference, by: "id", values: documentIds }
        ]),
        (found) => new Set(documentIds.filter((id) => found.byId(documentReference, id) !== null))
      ),

    update: Effect.fnUntraced(function* (organisationId, documentId, changes, options) {
      const origin = yield* originOf(organisationId)
      return yield* update(documentKind, documentId, {
        operation: "DocumentRepository.update",
        organisationId,
        finds: findsOfUpdate(documentId),
        rule: updateDocument({ documentId, changes, ...options }, origin)
      })
    }),

    review: Effect.fnUntraced(function* (organisationId, documentId, requested, options) {
      const origin = yield* originOf(organisationId)
      const review = { documentId, requested, ...options }
      return yield* update(documentKind, documentId, {
        operation: `DocumentRepository.${requested.status === undefined ? "update" : "step"}`,
        organisationId,
        finds: findsOfReview(review),
        rule: reviewDocument(review, origin)
      })
    }),

    step: Effect.fnUntraced(function* (organisationId, documentId, step, options) {
      const origin = yield* originOf(organisationId)
      return yield* update(documentKind, documentId, {
        operation: "DocumentRepository.step",
        organisationId,
        finds: findsOfStep(documentId, step.to),
        rule: stepDocument({ documentId, step, ...options }, origin)
      })
    }),

    reopen: Effect.fnUntraced(function* (organisationId, documentId, options) {
      const origin = yield* originOf(organisationId)
      const command = { documentId, ...options }
      return yield* update(documentKind, documentId, {
        operation: "DocumentRepository.reopen",
        organisationId,
        finds: findsOfReopening(command),
        options: { bounds: { kind: documentKind, at: options.at } },
        rule: reopenDocument(command, origin)
      })
    }),

    claimFile: Effect.fnUntraced(function* (organisationId, key, { now, until }) {
      const origin = yield* originOf(organisationId)
      const parts = Option.getOrThrow(parseStorageKey(key))
      const [documentId, siteId] = [DocumentId.make(parts.documentId), SiteId.make(parts.siteId)]
      const claim = { organisationId, siteId, documentId, key, now, until }
      return yield* update(documentKind, documentId, {
        operation: "DocumentRepository.claimFile",
        organisationId,
        finds: findsOfClaim(claim),
        rule: claimFile(claim, origin)
      })
    }),

    delete: Effect.fnUntraced(function* (organisationId, documentId, options) {
      const origin = yield* originOf(organisationId)
      return yield* update(documentKind, documentId, {
        operation: "DocumentRepository.delete",
        organisationId,
        finds: findsOfDeletion(documentId),
        rule: deleteDocument({ documentId, ...options }, origin)
      })
    })
  }
})
