/** Refusals of the console's endpoints that the API does not have. */
import { maximumLiveApiKeys } from "@solar-sites/core"
import { HostRefused } from "@solar-sites/http-node"
import { describeProblem } from "@solar-sites/http-node/contract"
import { Duration, Effect } from "effect"
import type { Role, RoleInsufficient } from "../accounts/people/Role.ts"

// A 401 must name a scheme. Browsers show no dialog for this one.
export const challenge = { "www-authenticate": 'Session realm="console"' }

export const sessionMissing = new HostRefused({
  status: 401,
  code: "session_missing",
  title: "Session missing",
  detail: "Log in first: there is no session, or it has ended.",
  headers: challenge
})

/** Does not tell whether address, password or organisation is the reason. */
export const loginFailed = new HostRefused({
  status: 401,
  code: "login_failed",
  title: "Login failed",
  detail: "E-mail address or password is wrong.",
  headers: challenge
})

/** Too much work of one kind in this process. */
export const overloaded = new HostRefused({ ...describeProblem("overloaded"), headers: { "retry-after": "5" } })

/** With `PASSWORD_LOGIN=false`. */
export const passwordLoginOff = new HostRefused({
  status: 403,
  code: "password_login_off",
  title: "Password login off",
  detail: "This server accepts no passwords; log in at the provider of your organisation."
})

export const originNotAllowed = new HostRefused({
  status: 403,
  code: "origin_not_allowed",
  title: "Origin not allowed",
  detail: "Only pages of the console itself may ask for this."
})

/** `needed` is the least role that may do this. */
export const roleInsufficient = (needed: Role): HostRefused =>
  new HostRefused({
    status: 403,
    code: "role_insufficient",
    title: "Role insufficient",
    detail: `Your role does not allow this; it needs the role ${needed}.`
  })

/** For `catchTags`. */
export const refuseRole = ({ needed }: RoleInsufficient): Effect.Effect<never, HostRefused> =>
  Effect.fail(roleInsufficient(needed))

/** The same for unknown and malformed ids and ids of other organisations. */
export const apiKeyNotFound = new HostRefused({
  status: 404,
  code: "api_key_not_found",
  title: "API key not found",
  detail: "Your organisation has no such API key."
})

export const tooManyApiKeys = new HostRefused({
  status: 409,
  code: "too_many_keys",
  title: "Too many API keys",
  detail: `Your organisation has ${maximumLiveApiKeys} live API keys, the maximum. Delete one first, or rotate without overlap.`
})

/** The same for unknown and malformed ids and ids of other organisations. */
export const userNotFound = new HostRefused({
  status: 404,
  code: "user_not_found",
  title: "User not found",
  detail: "Your organisation has no such user."
})

export const lastOwner = new HostRefused({
  status: 409,
  code: "last_owner",
  title: "Last owner",
  detail: "An organisation needs an owner: make another user owner first."
})

/** Owners are never limited to portfolios. */
export const ownerLimited = new HostRefused({
  status: 409,
  code: "owner_limited",
  title: "Owner limited",
  detail: "An owner cannot be limited to portfolios: give another role, or no limit."
})

export const rateLimited = (detail: string, retryAfter: Duration.Duration): HostRefused =>
  new HostRefused({
    ...describeProblem("rate_limited"),
    detail,
    headers: { "retry-after": `${Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))}` }
  })
