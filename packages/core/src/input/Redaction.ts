/**
 * Redaction of texts in errors and logs. Keys, tokens, signatures and e-mail addresses never
 * appear. Messages are built on first access, because most refusals are never printed.
 */

const longest = 300

// Secrets that drivers, clients or callers are known to put into messages and names.
const secrets: ReadonlyArray<readonly [pattern: RegExp, shown: string]> = [
  [/\bsk_[a-z]+_[\w-]*/g, "(key)"],
  // Credentials and query strings of URLs.
  [/\/\/[^\s/@]*@/g, "//"],
  [/\?\S*=\S*/g, ""],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, "(e-mail)"],
  [/(signature|token|secret|password|credential|key)(["']\s*:\s*|=)[^\s,;&]+/gi, "$1$2(hidden)"],
  [/[\w+=-]{40,}/g, "(hidden)"]
]

/** The text on one line, without secrets, shortened to 300 characters. */
export const redacted = (text: string): string => {
  const line = text.slice(0, 2 * longest).replace(/\s+/g, " ")
  const safe = secrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), line).trim()
  return safe.length > longest || text.length > 2 * longest ? `${safe.slice(0, longest)}…` : safe
}

/** The first five items as text, and the number of the others. */
export const redactedList = <A>(all: ReadonlyArray<A>, textOf: (one: A) => string): string => {
  const most = 5
  const more = all.length > most ? ` and ${all.length - most} more` : ""
  return `${all.slice(0, most).map(textOf).join("; ")}${more}`
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Ids as text. A value that is not a UUID could be a misplaced key and is not repeated. */
export const redactedIds = (...ids: ReadonlyArray<string>): string =>
  redactedList(ids, (id) => (uuid.test(id) ? id : "(not a UUID)"))

/** The redacted message of a cause; empty when it has none. */
export const redactedCause = (cause: unknown): string => {
  if (!(cause instanceof Error)) return typeof cause === "string" ? redacted(cause) : ""
  // An `AggregateError` of refused connections has a code and no message.
  const code = "code" in cause ? cause.code : undefined
  return redacted(String(cause.message || (code ?? "")))
}

/** The message of an infrastructure failure: the operation and its cause. */
export const failureMessage = (operation: string, cause: unknown): string => {
  const reason = redactedCause(cause)
  return reason === "" ? `${operation} failed` : `${operation} failed: ${reason}`
}
