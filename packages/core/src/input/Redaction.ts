/**
 * What an error may show of itself in a log or a test runner: enough to find what
 * went wrong, and never a key, a token, a signature or an e-mail address. Texts
 * are made when somebody looks, which for most refusals nobody does.
 *
 * @since 0.1.0
 */

const longest = 300

// Each is what some driver, client or caller has put into a message or a name.
const secrets: ReadonlyArray<readonly [pattern: RegExp, shown: string]> = [
  [/\bsk_[a-z]+_[\w-]*/g, "(key)"],
  // Signed addresses, and those of services with a password in them.
  [/\/\/[^\s/@]*@/g, "//"],
  [/\?\S*=\S*/g, ""],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, "(e-mail)"],
  [/(signature|token|secret|password|credential|key)(["']\s*:\s*|=)[^\s,;&]+/gi, "$1$2(hidden)"],
  [/[\w+=-]{40,}/g, "(hidden)"]
]

/**
 * A text without what only its owner may see, in one line and not too long.
 *
 * @category formatting
 * @since 0.1.0
 */
export const redacted = (text: string): string => {
  const line = text.slice(0, 2 * longest).replace(/\s+/g, " ")
  const safe = secrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), line).trim()
  return safe.length > longest || text.length > 2 * longest ? `${safe.slice(0, longest)}…` : safe
}

/**
 * The first of several things as text, and how many more there are.
 *
 * @category formatting
 * @since 0.1.0
 */
export const redactedList = <A>(all: ReadonlyArray<A>, textOf: (one: A) => string): string => {
  const most = 5
  const more = all.length > most ? ` and ${all.length - most} more` : ""
  return `${all.slice(0, most).map(textOf).join("; ")}${more}`
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Ids. What is no UUID could be anything, a key that was put in the wrong place
 * too, and is not repeated.
 *
 * @category formatting
 * @since 0.1.0
 */
export const redactedIds = (...ids: ReadonlyArray<string>): string =>
  redactedList(ids, (id) => (uuid.test(id) ? id : "(not a UUID)"))

/**
 * What a driver says has happened; empty when it says nothing.
 *
 * @category formatting
 * @since 0.1.0
 */
export const redactedCause = (cause: unknown): string => {
  if (!(cause instanceof Error)) return typeof cause === "string" ? redacted(cause) : ""
  // Several connections that were refused together have a code and no message.
  const code = "code" in cause ? cause.code : undefined
  return redacted(String(cause.message || (code ?? "")))
}

/**
 * The message of a failure of infrastructure: what was done, and what came of it.
 *
 * @category formatting
 * @since 0.1.0
 */
export const failureMessage = (operation: string, cause: unknown): string => {
  const reason = redactedCause(cause)
  return reason === "" ? `${operation} failed` : `${operation} failed: ${reason}`
}
