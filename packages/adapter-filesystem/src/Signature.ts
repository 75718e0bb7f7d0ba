/**
 * Tokens of signed addresses: the terms as readable JSON, and an HMAC-SHA256 over
 * method, key and terms.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { StorageKey } from "@solar-sites/core"
import { Option, Schema } from "effect"

/** Terms of an upload address. `length` is null if none was declared; instants in milliseconds. */
export const UploadTerms = Schema.Struct({
  type: Schema.String,
  length: Schema.NullOr(Schema.Finite),
  maximum: Schema.Finite,
  begins: Schema.Finite,
  expires: Schema.Finite
})
export type UploadTerms = typeof UploadTerms.Type

/** Terms of a download address. `type` null: the stored type; `filename` null: inline. */
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

/** Query string of an address. */
export const sign = (
  secret: Uint8Array,
  method: "GET" | "PUT",
  key: StorageKey,
  terms: UploadTerms | DownloadTerms
): string => {
  const encoded = Buffer.from(JSON.stringify(terms), "utf8").toString("base64url")
  return `${parameter}=${encoded}.${digest(secret, method, key, encoded).toString("base64url")}`
}

/**
 * The terms of a query string; none if it is not signed for method and key or has other
 * parameters.
 */
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
  // Several texts decode to the same bytes, since decoding ignores unused bits and other
  // characters.
  const isCanonical = sent.toString("base64url") === signature
  if (parameters.size !== 1 || rest.length > 0 || !isCanonical) return Option.none()
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return Option.none()
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(terms))
  return decode(Buffer.from(encoded, "base64url").toString("utf8"))
}
