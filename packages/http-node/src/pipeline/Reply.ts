/**
 * Successful responses. The models are validated already and have a JSON form, so nothing is
 * validated a second time on the way out.
 */
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { isKnown, notModified } from "./EntityTag.ts"
import { jsonText } from "./JsonText.ts"

declare const content: unique symbol

/** A response with the JSON form of `A` as body. */
export interface Reply<out A> extends HttpServerResponse.HttpServerResponse {
  readonly [content]?: A
}

export const jsonMediaType = "application/json"

export const reply = <A>(value: A, options: { status?: number; headers?: Record<string, string> } = {}): Reply<A> =>
  HttpServerResponse.text(jsonText(value), { ...options, contentType: jsonMediaType })

/** A single resource with its version as `ETag`. */
export const replyVersioned = <A extends { readonly version: number }>(resource: A): Reply<A> =>
  reply(resource, { headers: { etag: `"${resource.version}"` } })

/**
 * As `replyVersioned`, but 304 for a client that has this version. Members of the resource change with its version
 * alone.
 */
export const replyUnlessKnown =
  (headers: { readonly "if-none-match"?: string }) =>
  <A extends { readonly version: number }>(resource: A): Reply<A> =>
    isKnown(headers["if-none-match"], `"${resource.version}"`)
      ? notModified(`"${resource.version}"`)
      : replyVersioned(resource)

/** A new resource; `location` is its path. */
export const replyCreated = <A extends { readonly version: number }>(resource: A, location: string): Reply<A> =>
  reply(resource, { status: 201, headers: { etag: `"${resource.version}"`, location } })

export const replyNothing: Reply<void> = HttpServerResponse.empty({ status: 204 })

/** Largest chunk that is written to a connection at once, in bytes. */
export const chunkBytes = 65_536

/**
 * Bytes as a stream of chunks, so that the progress of a slow reader is visible. The chunks are
 * views of the same bytes.
 */
export const inChunks = (bytes: Uint8Array): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    (function* () {
      for (let start = 0; start < bytes.byteLength; start += chunkBytes) {
        yield bytes.subarray(start, start + chunkBytes)
      }
    })(),
    { chunkSize: 1 }
  )
