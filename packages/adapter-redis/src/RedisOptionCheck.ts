/**
 * Validates the address of Redis: the driver takes any other text for the name of a
 * unix socket. The error names the type of the value only, since an address can
 * contain a password.
 */
import { Redacted } from "effect"

/** True of `redis://` and `rediss://` addresses. */
export const isAddress = (text: string): boolean => /^rediss?:\/\//.test(text) && URL.canParse(text)

export const addressForm = "of the form redis://user:password@host:port, or rediss:// for TLS"

const kindOf = (given: unknown): string => {
  if (given === "") return "an empty text"
  if (typeof given === "string") return "another text"
  return given === null ? "null" : typeof given
}

/** The address as text. Throws a `TypeError` that says what to give. */
export const addressIn = (given: unknown): string => {
  const url: unknown = Redacted.isRedacted(given) ? Redacted.value(given) : given
  if (typeof url === "string" && isAddress(url)) return url
  throw new TypeError(`url of the Redis adapter must be ${addressForm}, as text or Redacted; it is ${kindOf(url)}`)
}
