/**
 * Kept answers with upload addresses, brought up to date. An address holds for a
 * minute and an answer is kept for a day, so each document that still waits for
 * its file gets a new address. One that waits no more keeps its entry as it was,
 * with the address that has lapsed.
 */
import {
  type CurrentCaller,
  type Documents,
  IssuedUpload,
  IssuedUploads,
  type RepositoryError,
  type StorageError,
  type TooManyPending
} from "@solar-sites/core"
import { Effect, Schema } from "effect"
import type { Renewal } from "../middleware/Idempotency.ts"

const concurrency = 4

type RenewalRefusal = RepositoryError | StorageError | TooManyPending

const decodeOne = Schema.decodeUnknownEffect(Schema.fromJsonString(IssuedUpload))
const decodeAll = Schema.decodeUnknownEffect(Schema.fromJsonString(IssuedUploads))

const renewed = (documents: Documents["Service"], kept: IssuedUpload) =>
  documents.reissueUpload(kept.documentId).pipe(
    Effect.catchTags({
      InvalidTransition: () => Effect.succeed(kept),
      DocumentNotFound: () => Effect.succeed(kept)
    })
  )

/** Of the answer to the issue of one address. */
export const renewUpload =
  (documents: Documents["Service"]): Renewal =>
  (body) =>
    Effect.orDie(decodeOne(body)).pipe(
      Effect.flatMap((kept) => renewed(documents, kept)),
      Effect.map((entry) => JSON.stringify(entry))
    )

/** Of the answer to the issue of many; files that were refused stay so. */
export const renewUploads = (documents: Documents["Service"]): Renewal =>
  Effect.fnUntraced(function* (body) {
    const { results, summary } = yield* Effect.orDie(decodeAll(body))
    const entries = yield* Effect.forEach(
      results,
      (kept): Effect.Effect<IssuedUploads["results"][number], RenewalRefusal, CurrentCaller> =>
        kept.success ? renewed(documents, kept) : Effect.succeed(kept),
      { concurrency }
    )
    return JSON.stringify({ results: entries, summary })
  })
