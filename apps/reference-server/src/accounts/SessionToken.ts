/**
 * What a browser keeps of a session: 32 random bytes, of which only the SHA-256
 * is stored.
 */
import { hash } from "node:crypto"
import { RandomBytes } from "@solar-sites/core"
import { Effect, Redacted } from "effect"

export type SessionToken = Redacted.Redacted<string>

const length = 32

export const generate: Effect.Effect<SessionToken> = Effect.map(RandomBytes, (randomBytes) =>
  Redacted.make(Buffer.from(randomBytes(length)).toString("base64url"), { label: "session token" })
)

/** Reads what was presented as a token; `undefined` when it cannot be one. */
export const parse = (text: string): SessionToken | undefined =>
  /^[\w-]{43}$/.test(text) ? Redacted.make(text, { label: "session token" }) : undefined

export const digest = (token: SessionToken): string => hash("sha256", Redacted.value(token))
