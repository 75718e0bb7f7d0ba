/**
 * The secret of an API key: `sk_live_` and, in unpadded base64url, 32 random bytes with their
 * CRC32, so that a mistyped key costs no look-up. It is shown once and never stored; only its
 * digest is stored (specification, section 6).
 */

import { hash } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import { RandomBytes } from "../ids/RandomBytes.ts"
import { decodeChecked, encodeChecked } from "../input/Crc32.ts"

const prefix = "sk_live_"
const randomLength = 32
const prefixCharacters = 6

/** A well-formed key. It prints as `<redacted>`. */
export type ApiKeySecret = Redacted.Redacted<string>

/** SHA-256 of the whole key, in hexadecimal. */
export const ApiKeyDigest = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/)).pipe(Schema.brand("ApiKeyDigest"))
export type ApiKeyDigest = typeof ApiKeyDigest.Type

/** Creates a key from `RandomBytes`. */
export const generate: Effect.Effect<ApiKeySecret> = Effect.map(RandomBytes, (randomBytes) =>
  Redacted.make(prefix + encodeChecked(randomBytes(randomLength)), { label: "API key" })
)

/** Parses a presented key; none when it is malformed. */
export const parse = (presented: Redacted.Redacted<string>): Option.Option<ApiKeySecret> => {
  const text = Redacted.value(presented)
  if (!text.startsWith(prefix)) return Option.none()
  return decodeChecked(text.slice(prefix.length))?.length === randomLength ? Option.some(presented) : Option.none()
}

/** The digest that is stored instead of the key. */
export const digest = (secret: ApiKeySecret): ApiKeyDigest => ApiKeyDigest.make(hash("sha256", Redacted.value(secret)))

/** The visible start of a key: `sk_live_` and 6 characters. */
export const shownPrefix = (secret: ApiKeySecret): string =>
  Redacted.value(secret).slice(0, prefix.length + prefixCharacters)
