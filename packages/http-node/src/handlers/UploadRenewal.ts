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
import type { Keeping } from "../pipeline/Idempotency.ts"

const concurrency = 4

type RenewalRefusal = RepositoryError | StorageError | TooManyPending

const decodeOne = Schema.decodeUnknownEffect(IssuedUpload)
const decodeAll = Schema.decodeUnknownEffect(IssuedUploads)

const renewed = (documents: Documents["Service"], kept: IssuedUpload) =>
  documents.reissueUpload(kept.documentId).pipe(
    Effect.catchTags({
      InvalidTransition: () => Effect.succeed(kept),
      DocumentNotFound: () => Effect.succeed(kept)
    })
  )

// `url` is `path` and `token` once more.
const shorten = (body: string): string =>
  JSON.stringify(JSON.parse(body), (name, value: unknown) => (name === "url" ? undefined : value))

const lengthen = (kept: string): unknown =>
  JSON.parse(kept, (name, value) => (name === "uploadUrl" ? { ...value, url: `${value.path}?${value.token}` } : value))

/** Of the answer to the issue of one address. */
export const keepUpload = (documents: Documents["Service"]): Keeping => ({
  shorten,
  restore: (kept) =>
    Effect.orDie(decodeOne(lengthen(kept))).pipe(
      Effect.flatMap((entry) => renewed(documents, entry)),
      Effect.map((entry) => JSON.stringify(entry))
    )
})

/** Of the answer to the issue of many; files that were refused stay so. */
export const keepUploads = (documents: Documents["Service"]): Keeping => ({
  shorten,
  restore: Effect.fnUntraced(function* (kept: string) {
    const { results, summary } = yield* Effect.orDie(decodeAll(lengthen(kept)))
    const entries = yield* Effect.forEach(
      results,
      (entry): Effect.Effect<IssuedUploads["results"][number], RenewalRefusal, CurrentCaller> =>
        entry.success ? renewed(documents, entry) : Effect.succeed(entry),
      { concurrency }
    )
    return JSON.stringify({ results: entries, summary })
  })
})
