/**
 * Validation of passwords. They are compared in NFKC, as NIST SP 800-63B
 * recommends: keyboards compose the same character differently.
 */
import { Option, Redacted, Schema } from "effect"

const minimumCharacters = 12
const maximumBytes = 1_024

export class PasswordRefused extends Schema.TaggedError<PasswordRefused>(
  "@solar-sites/reference-server/PasswordRefused"
)("PasswordRefused", { reason: Schema.String }) {}

const normalised = (text: string): string => text.normalize("NFKC")

const faultOf = (text: string): string | undefined => {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) return "must not hold control characters"
  if (Buffer.byteLength(text) > maximumBytes) return `must have at most ${maximumBytes} bytes`
  if ([...text].length < minimumCharacters) return `must have at least ${minimumCharacters} characters`
  return undefined
}

/** A normalised, valid password. */
export type Password = Redacted.Redacted<string>

/** Validates a new password. */
export const newPassword = (text: string): Password | PasswordRefused => {
  const password = normalised(text)
  const reason = faultOf(password)
  return reason === undefined ? Redacted.make(password, { label: "password" }) : new PasswordRefused({ reason })
}

/** Password of a login attempt; none if no user can have it. */
export const presentedPassword = (text: string): Option.Option<Password> => {
  // Checked first: normalising a long text takes long.
  if (text.length > maximumBytes) return Option.none()
  const password = newPassword(text)
  return Redacted.isRedacted(password) ? Option.some(password) : Option.none()
}
