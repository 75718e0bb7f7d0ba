/**
 * Stores one upload: checks the headers, streams to a temporary file and moves it into place when
 * it is complete.
 */
import type { StorageError, StorageKey, StorageKeyParts } from "@solar-sites/core"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { attempt } from "../FileFailure.ts"
import {
  append,
  createIncoming,
  discardIncoming,
  type Folder,
  type IncomingFile,
  modifiedAt,
  place
} from "../Folder.ts"
import type { UploadTerms } from "../Signature.ts"
import { trailerOf } from "../StoredFile.ts"
import { eachChunk } from "./Body.ts"
import { refuse, type StorageRefused } from "./Refused.ts"

const operation = "StorageServer.upload"

export interface UploadContext {
  readonly folder: Folder
  /** Applies to every upload in addition to the maximum of its address. */
  readonly maximumFileBytes: number
  readonly beforeReading: (source: object) => void
  /** Starts to report a stored file; the result waits for the end of the report, within bounds. */
  readonly report: (key: StorageKey) => Effect.Effect<Effect.Effect<void>>
}

const mediaTypeOf = (contentType: string | undefined): string => (contentType?.split(";")[0] ?? "").trim().toLowerCase()

const checkHeaders = (
  { headers }: HttpServerRequest.HttpServerRequest,
  terms: UploadTerms,
  maximum: number
): Effect.Effect<void, StorageRefused> => {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  if (mediaTypeOf(headers["content-type"]) !== terms.type.toLowerCase() || coding !== "identity") {
    return refuse("unsupported_media_type")
  }
  if (headers["content-range"] !== undefined) return refuse("invalid_range")
  const length = headers["content-length"]
  if (length === undefined) return Effect.void
  if (terms.length !== null && Number(length) !== terms.length) return refuse("length_mismatch")
  return Number(length) > maximum ? refuse("file_too_large") : Effect.void
}

const checkFree = (folder: Folder, parts: StorageKeyParts): Effect.Effect<void, StorageRefused | StorageError> =>
  Effect.flatMap(
    attempt(operation, () => modifiedAt(folder, parts)),
    (since) => (since === null ? Effect.void : refuse("already_uploaded"))
  )

const write = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  incoming: IncomingFile,
  terms: UploadTerms,
  maximum: number
): Effect.fn.Return<void, StorageRefused | StorageError> {
  let sizeBytes = 0
  yield* eachChunk(request, (chunk): Effect.Effect<void, StorageRefused | StorageError> => {
    sizeBytes += chunk.byteLength
    if (terms.length !== null && sizeBytes > terms.length) return refuse("length_mismatch")
    if (sizeBytes > maximum) return refuse("file_too_large")
    return attempt(operation, () => append(incoming, chunk))
  })
  if (terms.length !== null && sizeBytes !== terms.length) return yield* refuse("length_mismatch")
  yield* attempt(operation, () => append(incoming, trailerOf(terms.type)))
})

/** Answers PUT after the signature and the validity of the address have been checked. */
export const upload = Effect.fnUntraced(function* (
  context: UploadContext,
  request: HttpServerRequest.HttpServerRequest,
  { key, parts, terms }: { readonly key: StorageKey; readonly parts: StorageKeyParts; readonly terms: UploadTerms }
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, StorageRefused | StorageError> {
  const { folder } = context
  const maximum = Math.min(terms.maximum, context.maximumFileBytes)
  yield* checkHeaders(request, terms, maximum)
  yield* checkFree(folder, parts)
  context.beforeReading(request.source)
  const reported = yield* Effect.acquireUseRelease(
    attempt(operation, () => createIncoming(folder, parts)),
    (incoming) =>
      Effect.andThen(
        write(request, incoming, terms, maximum),
        // Not interrupted when the client disconnects: the file is complete and its arrival is reported.
        Effect.uninterruptible(
          Effect.flatMap(
            attempt(operation, () => place(folder, incoming, parts)),
            (placed) => (placed ? context.report(key) : refuse("already_uploaded"))
          )
        )
      ),
    (incoming) => Effect.ignore(attempt(operation, () => discardIncoming(incoming)))
  )
  yield* reported
  return HttpServerResponse.empty({ status: 201 })
})
