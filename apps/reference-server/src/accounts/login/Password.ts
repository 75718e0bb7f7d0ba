/**
 * Validation of passwords. They are compared in NFKC, as NIST SP 800-63B
 * recommends: keyboards compose the same character differently.
 */
import { normalised } from "@solar-sites/core"
import { Data, Effect, Option, Redacted, Schema, SchemaGetter, SchemaIssue } from "effect"
import { minimumPasswordCharacters } from "../AccountPolicy.ts"

const maximumBytes = 1_024

export class PasswordRefused extends Data.TaggedError("PasswordRefused")<{ readonly reason: string }> {}

const tooLong = `must have at most ${maximumBytes} bytes`

const rules = [
  [(text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not hold control characters"],
  [(text: string) => Buffer.byteLength(text) <= maximumBytes, tooLong],
  [
    (text: string) => [...text].length >= minimumPasswordCharacters,
    `must have at least ${minimumPasswordCharacters} characters`
  ]
] as const

/** A normalised, valid password. */
export type Password = Redacted.Redacted<string>

/** Validates a new password. The length is judged first: all other work grows with it. */
export const newPassword = (text: string): Password | PasswordRefused => {
  if (text.length > maximumBytes) return new PasswordRefused({ reason: tooLong })
  const password = normalised(text, "NFKC")
  if (password === null) return new PasswordRefused({ reason: "must not hold so many combining marks in a row" })
  const reason = rules.find(([holds]) => !holds(password))?.[1]
  return reason === undefined ? Redacted.make(password, { label: "password" }) : new PasswordRefused({ reason })
}

/** A new password in a body. */
export const NewPassword: Schema.Codec<Password, string> = Schema.String.pipe(
  Schema.decodeTo(Schema.Redacted(Schema.String, { label: "password" }), {
    decode: SchemaGetter.transformEffect((text) => {
      const password = newPassword(text)
      return Redacted.isRedacted(password)
        ? Effect.succeed(password)
        : Effect.fail(new SchemaIssue.InvalidValue({ message: password.reason }))
    }),
    encode: SchemaGetter.transform(Redacted.value<string>)
  })
)

/** Password of a login attempt; none if no user can have it. */
export const presentedPassword = (text: string): Option.Option<Password> => {
  const password = newPassword(text)
  return Redacted.isRedacted(password) ? Option.some(password) : Option.none()
}
