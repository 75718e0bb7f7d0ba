/** Session tokens: 32 random bytes. Only their SHA-256 is stored. */
import { hash } from "node:crypto"
import { RandomBytes } from "@solar-sites/core"
import { Effect, Redacted } from "effect"

export type SessionToken = Redacted.Redacted<string>

const length = 32

export const generate: Effect.Effect<SessionToken> = Effect.map(RandomBytes, (randomBytes) =>
  Redacted.make(Buffer.from(randomBytes(length)).toString("base64url"), { label: "session token" })
)

/** `undefined` if the text does not have the form of a token. */
export const parse = (text: string): SessionToken | undefined =>
  /^[\w-]{43}$/.test(text) ? Redacted.make(text, { label: "session token" }) : undefined

export const digest = (token: SessionToken): string => hash("sha256", Redacted.value(token))
