/** Problems of the console's endpoints that the API does not have. */
import { maximumLiveApiKeys } from "@solar-sites/core"
import { HostRefused } from "@solar-sites/http-node"
import { describeProblem } from "@solar-sites/http-node/contract"
import { Duration } from "effect"
import type { Role } from "../accounts/people/Role.ts"

const wordsOf = (code: string): string => `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`

/** The default title is the code in words. */
export const problem = (status: number, code: string, detail: string, title = wordsOf(code)): HostRefused =>
  new HostRefused({ status, code, title, detail })

/** A 401 must name a scheme. Browsers show no dialog for this one. */
export const challenging = ({ code, detail, title }: HostRefused): HostRefused =>
  new HostRefused({ status: 401, code, title, detail, headers: { "www-authenticate": 'Session realm="console"' } })

export const sessionMissing = challenging(
  problem(401, "session_missing", "Log in first: there is no session, or it has ended.")
)

/** Too much work of one kind in this process. */
export const overloaded = new HostRefused({ ...describeProblem("overloaded"), headers: { "retry-after": "5" } })

/** With `PASSWORD_LOGIN=false`. */
export const passwordLoginOff = problem(
  403,
  "password_login_off",
  "This server accepts no passwords; log in at the provider of your organisation."
)

export const originNotAllowed = problem(403, "origin_not_allowed", "Only pages of the console itself may ask for this.")

/** `needed` is the least role that may do this. */
export const roleInsufficient = (needed: Role): HostRefused =>
  problem(403, "role_insufficient", `Your role does not allow this; it needs the role ${needed}.`)

/** The same for unknown and malformed ids and ids of other organisations. */
export const apiKeyNotFound = problem(
  404,
  "api_key_not_found",
  "Your organisation has no such API key.",
  "API key not found"
)

export const tooManyApiKeys = problem(
  409,
  "too_many_keys",
  `Your organisation has ${maximumLiveApiKeys} live API keys, the maximum. Delete one first, or rotate without overlap.`,
  "Too many API keys"
)

/** The same for unknown and malformed ids and ids of other organisations. */
export const userNotFound = problem(404, "user_not_found", "Your organisation has no such user.")

export const rateLimited = (detail: string, retryAfter: Duration.Duration): HostRefused =>
  new HostRefused({
    ...describeProblem("rate_limited"),
    detail,
    headers: { "retry-after": `${Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))}` }
  })
