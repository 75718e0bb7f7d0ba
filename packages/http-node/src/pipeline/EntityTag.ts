/**
 * Entity tags of lists, and `If-None-Match`. A list has no version, so its tag is a checksum of its bytes. It is
 * weak, because the same list may be compressed.
 */
import { crc32 } from "node:zlib"
import { HttpServerResponse } from "effect/http"

/** `If-None-Match` compares weakly (RFC 9110, section 13.1.2). */
export const isKnown = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  const sought = etag.replace(/^W\//, "")
  return header.split(",").some((tag) => ["*", sought].includes(tag.trim().replace(/^W\//, "")))
}

/** The answer to a client that has the representation with this tag. */
export const notModified = (etag: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 304, headers: { etag } })

/**
 * Adds the tag of its bytes to a successful response; 304 for a client that has it. A resource has the tag of its
 * version instead, a stream none. Encoding and checksum of a page cost a twentieth of the request, so that
 * only clients get a tag that send `If-None-Match` or accept a content coding, which needs the bytes anyway.
 */
export const withBodyTag = (
  response: HttpServerResponse.HttpServerResponse,
  request: Readonly<Record<string, string | undefined>>
): HttpServerResponse.HttpServerResponse => {
  const { body, headers, status } = response
  const known = request["if-none-match"]
  if (known === undefined && request["accept-encoding"] === undefined) return response
  if (status !== 200 || body._tag !== "Uint8Array" || headers["etag"] !== undefined) return response
  const etag = `W/"${body.contentLength.toString(36)}-${crc32(body.body).toString(36)}"`
  return isKnown(known, etag) ? notModified(etag) : HttpServerResponse.setHeader(response, "etag", etag)
}
