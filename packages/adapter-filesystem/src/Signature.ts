/**
 * Signed addresses: what an address allows stands in its token, readable, and
 * an HMAC-SHA256 over method, key and all of it makes it unchangeable.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { StorageKey } from "@solar-sites/core"
import { Option, Schema } from "effect"

/** What an upload address allows. `length` is null when none was declared; instants in milliseconds. */
export const UploadTerms = Schema.Struct({
  type: Schema.String,
  length: Schema.NullOr(Schema.Finite),
  maximum: Schema.Finite,
  begins: Schema.Finite,
  expires: Schema.Finite
})
export type UploadTerms = typeof UploadTerms.Type

/** How a download is to be answered. `type` null: as it was stored; `filename` null: to be shown, not kept. */
export const DownloadTerms = Schema.Struct({
  type: Schema.NullOr(Schema.String),
  filename: Schema.NullOr(Schema.String),
  begins: Schema.Finite,
  expires: Schema.Finite
})
export type DownloadTerms = typeof DownloadTerms.Type

const purpose = "solar-sites storage address 1"
const parameter = "token"

const digest = (secret: Uint8Array, method: string, key: StorageKey, terms: string): Buffer =>
  createHmac("sha256", secret).update(`${purpose}\n${method}\n${key}\n${terms}`).digest()

/** The query string of an address. */
export const sign = (
  secret: Uint8Array,
  method: "GET" | "PUT",
  key: StorageKey,
  terms: UploadTerms | DownloadTerms
): string => {
  const encoded = Buffer.from(JSON.stringify(terms), "utf8").toString("base64url")
  return `${parameter}=${encoded}.${digest(secret, method, key, encoded).toString("base64url")}`
}

/** The signed terms of a query string, none when it was not signed for this method and key, or holds anything else. */
export const verify = <Terms>(
  secret: Uint8Array,
  method: "GET" | "PUT",
  key: StorageKey,
  query: string,
  terms: Schema.ConstraintCodec<Terms, unknown>
): Option.Option<Terms> => {
  const parameters = new URLSearchParams(query)
  const [encoded = "", signature = "", ...rest] = (parameters.get(parameter) ?? "").split(".")
  const expected = digest(secret, method, key, encoded)
  const sent = Buffer.from(signature, "base64url")
  // Other texts decode to the same bytes, for unused bits and foreign characters are passed over.
  const isCanonical = sent.toString("base64url") === signature
  if (parameters.size !== 1 || rest.length > 0 || !isCanonical) return Option.none()
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return Option.none()
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(terms))
  return decode(Buffer.from(encoded, "base64url").toString("utf8"))
}
