/**
 * Validation of passwords. They are compared in NFKC, as NIST SP 800-63B
 * recommends: keyboards compose the same character differently.
 */
import { Option, Redacted, Schema, SchemaTransformation } from "effect"

const minimumCharacters = 12
const maximumBytes = 1_024

export class PasswordRefused extends Schema.TaggedError<PasswordRefused>(
  "@solar-sites/reference-server/PasswordRefused"
)("PasswordRefused", { reason: Schema.String }) {}

const normalised = (text: string): string => text.normalize("NFKC")

const rules = [
  [(text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not hold control characters"],
  [(text: string) => Buffer.byteLength(text) <= maximumBytes, `must have at most ${maximumBytes} bytes`],
  [(text: string) => [...text].length >= minimumCharacters, `must have at least ${minimumCharacters} characters`]
] as const

const faultOf = (text: string): string | undefined => rules.find(([holds]) => !holds(text))?.[1]

/** A normalised, valid password. */
export type Password = Redacted.Redacted<string>

/** Validates a new password. */
export const newPassword = (text: string): Password | PasswordRefused => {
  const password = normalised(text)
  const reason = faultOf(password)
  return reason === undefined ? Redacted.make(password, { label: "password" }) : new PasswordRefused({ reason })
}

const [isPrintable, isShort, isLong] = rules

const ruleCheck = ([holds, message]: (typeof rules)[number]) => Schema.makeFilter(holds, { message })

/** A new password in a body. */
export const NewPassword: Schema.Codec<Password, string> = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(ruleCheck(isPrintable), ruleCheck(isShort), ruleCheck(isLong)),
    SchemaTransformation.transform({ decode: normalised, encode: (text: string) => text })
  ),
  Schema.decodeTo(
    Schema.Redacted(Schema.String, { label: "password" }),
    SchemaTransformation.transform({
      decode: (text: string) => Redacted.make(text, { label: "password" }),
      encode: Redacted.value<string>
    })
  )
)

/** Password of a login attempt; none if no user can have it. */
export const presentedPassword = (text: string): Option.Option<Password> => {
  // Checked first: normalising a long text takes long.
  if (text.length > maximumBytes) return Option.none()
  const password = newPassword(text)
  return Redacted.isRedacted(password) ? Option.some(password) : Option.none()
}
