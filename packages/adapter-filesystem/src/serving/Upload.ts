/**
 * Takes one upload: checks what can be checked before the first byte, streams to
 * a file nobody sees, and gives it its place when it is whole.
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
import { eachPiece } from "./Body.ts"
import { type Refused, refuse } from "./Refused.ts"

const operation = "StorageServer.upload"

export interface UploadContext {
  readonly folder: Folder
  /** Holds for every upload, whatever its address says. */
  readonly maximumFileBytes: number
  readonly beforeReading: (source: object) => void
  /** Begins to tell that a file is in place; gives what waits for the end of that, for a while. */
  readonly tell: (key: StorageKey) => Effect.Effect<Effect.Effect<void>>
}

const mediaTypeOf = (contentType: string | undefined): string => (contentType?.split(";")[0] ?? "").trim().toLowerCase()

const checkHeaders = (
  { headers }: HttpServerRequest.HttpServerRequest,
  terms: UploadTerms,
  maximum: number
): Effect.Effect<void, Refused> => {
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

const checkFree = (folder: Folder, parts: StorageKeyParts): Effect.Effect<void, Refused | StorageError> =>
  Effect.flatMap(
    attempt(operation, () => modifiedAt(folder, parts)),
    (since) => (since === null ? Effect.void : refuse("already_uploaded"))
  )

const write = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  incoming: IncomingFile,
  terms: UploadTerms,
  maximum: number
): Effect.fn.Return<void, Refused | StorageError> {
  let sizeBytes = 0
  yield* eachPiece(request, (piece): Effect.Effect<void, Refused | StorageError> => {
    sizeBytes += piece.byteLength
    if (terms.length !== null && sizeBytes > terms.length) return refuse("length_mismatch")
    if (sizeBytes > maximum) return refuse("file_too_large")
    return attempt(operation, () => append(incoming, piece))
  })
  if (terms.length !== null && sizeBytes !== terms.length) return yield* refuse("length_mismatch")
  yield* attempt(operation, () => append(incoming, trailerOf(terms.type)))
})

/** Answers the PUT of an address whose signature and time have been judged. */
export const upload = Effect.fnUntraced(function* (
  context: UploadContext,
  request: HttpServerRequest.HttpServerRequest,
  { key, parts, terms }: { readonly key: StorageKey; readonly parts: StorageKeyParts; readonly terms: UploadTerms }
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, Refused | StorageError> {
  const { folder } = context
  const maximum = Math.min(terms.maximum, context.maximumFileBytes)
  yield* checkHeaders(request, terms, maximum)
  yield* checkFree(folder, parts)
  context.beforeReading(request.source)
  const told = yield* Effect.acquireUseRelease(
    attempt(operation, () => createIncoming(folder, parts)),
    (incoming) =>
      Effect.andThen(
        write(request, incoming, terms, maximum),
        // From here on a client that leaves changes nothing: the file is whole, and who waits for it is told.
        Effect.uninterruptible(
          Effect.flatMap(
            attempt(operation, () => place(folder, incoming, parts)),
            (placed) => (placed ? context.tell(key) : refuse("already_uploaded"))
          )
        )
      ),
    (incoming) => Effect.ignore(attempt(operation, () => discardIncoming(incoming)))
  )
  yield* told
  return HttpServerResponse.empty({ status: 201 })
})
