/**
 * What can be a password. It is compared in NFKC, as NIST SP 800-63B recommends,
 * since keyboards differ in how they compose the same character.
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

/** A password as it is hashed. */
export type Password = Redacted.Redacted<string>

/** What is to be a password from now on, or why it cannot be one. */
export const newPassword = (text: string): Password | PasswordRefused => {
  const password = normalised(text)
  const reason = faultOf(password)
  return reason === undefined ? Redacted.make(password, { label: "password" }) : new PasswordRefused({ reason })
}

/** What was presented as a password; none when it cannot be anybody's. */
export const presentedPassword = (text: string): Option.Option<Password> => {
  // Longer than any password can be, before work is done on it.
  if (text.length > maximumBytes) return Option.none()
  const password = newPassword(text)
  return Redacted.isRedacted(password) ? Option.some(password) : Option.none()
}
