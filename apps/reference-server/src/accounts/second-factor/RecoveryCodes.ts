/**
 * Recovery codes: 120 random bits each, as six groups of base32. Only their SHA-256 is stored. No
 * slow hash is needed: 2^120 codes cannot be tried.
 */
import { hash } from "node:crypto"
import { RandomBytes } from "@solar-sites/core"
import { Effect } from "effect"
import { base32 } from "./Totp.ts"

const count = 10
/** In bytes. */
const length = 15

export const generate: Effect.Effect<ReadonlyArray<string>> = Effect.map(RandomBytes, (randomBytes) =>
  Array.from({ length: count }, () => (base32(randomBytes(length)).toLowerCase().match(/.{4}/g) ?? []).join("-"))
)

/** Digest of a given code, in hexadecimal; letter case, spaces and hyphens do not matter. */
export const digest = (code: string): string => hash("sha256", code.replaceAll(/[\s-]/g, "").toLowerCase())
