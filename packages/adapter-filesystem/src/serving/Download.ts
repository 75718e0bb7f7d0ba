/**
 * Streams one file, or the requested range of it.
 */
import { contentDisposition, type StorageError, type StorageKeyParts } from "@solar-sites/core"
import { Effect, type Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { attempt } from "../FileFailure.ts"
import { type Folder, openAt } from "../Folder.ts"
import type { DownloadTerms } from "../Signature.ts"
import type { StoredFile } from "../StoredFile.ts"
import { type ByteRange, readRange } from "./Range.ts"
import { refuse, type StorageRefused } from "./Refused.ts"

const operation = "StorageServer.download"
const chunkBytes = 256 * 1_024

const readChunk = async ({ handle }: StoredFile, position: number, end: number): Promise<Uint8Array> => {
  const length = Math.min(chunkBytes, end - position)
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(length), 0, length, position)
  if (bytesRead === 0) throw new Error("The file has become shorter.")
  return buffer.subarray(0, bytesRead)
}

const chunks = (file: StoredFile, { first, last }: ByteRange): Stream.Stream<Uint8Array, StorageError> =>
  Stream.unfold(first, (position) =>
    position > last
      ? Effect.undefined
      : Effect.map(
          attempt(operation, () => readChunk(file, position, last + 1)),
          (chunk) => [chunk, position + chunk.byteLength] as const
        )
  )

const opened = (
  folder: Folder,
  parts: StorageKeyParts
): Effect.Effect<StoredFile, StorageRefused | StorageError, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      attempt(operation, () => openAt(folder, parts)),
      (file) => Effect.promise(async () => file?.handle.close())
    ),
    (file) => (file === null ? refuse("file_not_found") : Effect.succeed(file))
  )

/** The media type comes from the caller; one that a header cannot hold is replaced. */
const headerValue = (mimeType: string): string =>
  /^[\x20-\x7e]+$/.test(mimeType) ? mimeType : "application/octet-stream"

const isListed = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag) ?? false

/** Answers GET and HEAD after the signature and the validity of the address have been checked. */
export const download = Effect.fnUntraced(function* (
  folder: Folder,
  { headers: sent, method }: HttpServerRequest.HttpServerRequest,
  { now, parts, terms }: { readonly now: number; readonly parts: StorageKeyParts; readonly terms: DownloadTerms }
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, StorageRefused | StorageError, Scope.Scope> {
  const file = yield* opened(folder, parts)
  const { mimeType, sizeBytes, version } = file
  const { range: requested } = sent
  const etag = `"${version}"`
  const headers = {
    "accept-ranges": "bytes",
    // A copy in a browser cache expires with the address.
    "cache-control": `private, max-age=${Math.floor((terms.expires - now) / 1_000)}`,
    "content-disposition": contentDisposition(terms.filename),
    "content-security-policy": "sandbox; default-src 'none'",
    etag
  }
  if (isListed(sent["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
  const wanted = method === "GET" && (sent["if-range"] ?? etag) === etag ? readRange(requested, sizeBytes) : undefined
  if (wanted === null) return yield* refuse("range_not_satisfiable", { "content-range": `bytes */${sizeBytes}` })
  const range = wanted ?? { first: 0, last: sizeBytes - 1 }
  return HttpServerResponse.stream(chunks(file, range), {
    status: wanted ? 206 : 200,
    contentType: headerValue(terms.type ?? mimeType),
    contentLength: range.last - range.first + 1,
    headers: wanted ? { ...headers, "content-range": `bytes ${range.first}-${range.last}/${sizeBytes}` } : headers
  })
})
