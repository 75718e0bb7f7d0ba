/**
 * How successful responses are stored for their `Idempotency-Key`, and restored for a repetition.
 */
import {
  type AccessRefused,
  type CurrentCaller,
  type Documents,
  IssuedUpload,
  IssuedUploads,
  type RepositoryError,
  type StorageError,
  type TooManyPending,
  uncountedPageSize
} from "@solar-sites/core"
import { Array as Arr, Effect, Schema } from "effect"
import type { Replay } from "../pipeline/Idempotency.ts"
import { jsonText } from "../pipeline/JsonText.ts"
import { type Refusal, refuse } from "../pipeline/Refused.ts"

// In bytes. JSON in the stored answer escapes every quote once more, which can double its size.
const longest = 30_000

// In bytes. Sites can have grown since the first response; one of any request has fewer.
const longestRestored = 32 * 1_048_576

const tooLarge = refuse("validation_failed", {
  errors: [
    { pointer: "", code: "too_large", detail: "names resources that are too large by now to be returned together" }
  ]
})

/** The JSON texts of resources that are read again, a few at a time. */
export const restoredTexts = Effect.fnUntraced(function* (
  ids: ReadonlyArray<string>,
  read: (id: string) => Effect.Effect<ReadonlyArray<unknown>, Refusal, CurrentCaller>
) {
  const texts: Array<string> = []
  let bytes = 0
  for (const some of Arr.chunksOf(ids, uncountedPageSize)) {
    // Concurrent look-ups are batched.
    const found = yield* Effect.forEach(some, read, { concurrency: "unbounded" })
    for (const text of found.flat().map(jsonText)) {
      texts.push(text)
      bytes += Buffer.byteLength(text)
    }
    if (bytes > longestRestored) return yield* tooLarge
  }
  return texts.join(",")
})

const decodeIds = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Schema.String)))
const decodeData = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))
)

/**
 * A list of resources. A thousand sites can have several MiB: of a long list only the ids are
 * stored, and the resources are read again. `read` returns nothing for a deleted resource, which
 * is left out.
 */
export const listReplay = (
  read: (id: string) => Effect.Effect<ReadonlyArray<unknown>, Refusal, CurrentCaller>
): Replay => ({
  shorten: (body) =>
    Buffer.byteLength(body) <= longest ? body : JSON.stringify(decodeData(body).data.map(({ id }) => id)),
  restore: Effect.fnUntraced(function* (stored: string) {
    if (!stored.startsWith("[")) return stored
    const ids = yield* Effect.orDie(decodeIds(stored))
    return `{"data":[${yield* restoredTexts(ids, read)}]}`
  })
})

const concurrency = 4

type RenewalRefusal = AccessRefused | RepositoryError | StorageError | TooManyPending

const decodeOne = Schema.decodeUnknownEffect(IssuedUpload)
const decodeAll = Schema.decodeUnknownEffect(IssuedUploads)

/**
 * An address is valid for a minute and the response is stored for a day, so each document that is
 * still waiting for its file gets a new address, without an event. Other entries stay as they were.
 */
const renewed = (documents: Documents["Service"], stored: IssuedUpload) =>
  documents.reissueUpload(stored.documentId, { isRepetition: true }).pipe(
    Effect.catchTags({
      InvalidTransition: () => Effect.succeed(stored),
      DocumentNotFound: () => Effect.succeed(stored)
    })
  )

// `url` is `path` and `token` joined.
const shorten = (body: string): string =>
  JSON.stringify(JSON.parse(body), (name, value: unknown) => (name === "url" ? undefined : value))

const lengthen = (stored: string): unknown =>
  JSON.parse(stored, (name, value) =>
    name === "uploadUrl" ? { ...value, url: `${value.path}?${value.token}` } : value
  )

/** The response with one upload address. */
export const uploadReplay = (documents: Documents["Service"]): Replay => ({
  shorten,
  restore: (stored) =>
    Effect.orDie(decodeOne(lengthen(stored))).pipe(
      Effect.flatMap((entry) => renewed(documents, entry)),
      Effect.map((entry) => JSON.stringify(entry))
    )
})

/** The response with many; refused files stay refused. */
export const uploadsReplay = (documents: Documents["Service"]): Replay => ({
  shorten,
  restore: Effect.fnUntraced(function* (stored: string) {
    const { results, summary } = yield* Effect.orDie(decodeAll(lengthen(stored)))
    const entries = yield* Effect.forEach(
      results,
      (entry): Effect.Effect<IssuedUploads["results"][number], RenewalRefusal, CurrentCaller> =>
        entry.success ? renewed(documents, entry) : Effect.succeed(entry),
      { concurrency }
    )
    return JSON.stringify({ results: entries, summary })
  })
})
