/** Problems of the console's endpoints that the API does not have. */
import { maximumLiveApiKeys } from "@solar-sites/core"
import { HostRefused } from "@solar-sites/http-node"
import { describeProblem } from "@solar-sites/http-node/contract"
import { Duration } from "effect"
import { maximumInvitations } from "../accounts/invitations/InvitationRules.ts"
import { maximumSharedViews } from "../accounts/organisation/OrganisationSettings.ts"
import type { Role } from "../accounts/people/Role.ts"

/**
 * Status and detail by code, and the title where it is not the words of the code. Problems about ids are the same for
 * unknown and malformed ones and those of other organisations.
 */
const table = {
  session_missing: [401, "Log in first: there is no session, or it has ended."],
  login_failed: [401, "E-mail address or password is wrong."],
  second_factor_required: [
    401,
    "Log in again with `code`: the current code of the authenticator app, or a recovery code.",
    "Code required"
  ],
  password_wrong: [403, "This is not your current password."],
  second_factor_wrong: [
    403,
    "The code is wrong, or was used already. Enter the current code of the app, or an unused recovery code.",
    "Code wrong"
  ],
  second_factor_setup_required: [
    403,
    "Your organisation requires a second factor. Set one up under your account.",
    "Second factor required"
  ],
  // An organisation that requires a factor does not let its users switch theirs off.
  second_factor_demanded: [403, "Your organisation requires a second factor; it cannot be switched off."],
  // Without password and code only others remove a factor.
  own_second_factor: [403, "Switch your own second factor off under your account."],
  // With `PASSWORD_LOGIN=false`.
  password_login_off: [403, "This server accepts no passwords; log in at the provider of your organisation."],
  origin_not_allowed: [403, "Only pages of the console itself may ask for this."],
  api_key_not_found: [404, "Your organisation has no such API key.", "API key not found"],
  user_not_found: [404, "Your organisation has no such user."],
  invitation_not_found: [404, "Your organisation has no such invitation that you may change."],
  session_not_found: [404, "You have no such session."],
  import_not_found: [404, "The id of an import must be a UUID."],
  import_running: [409, "Another import of your organisation is running. Wait for its end."],
  email_taken: [409, "There is a user with this e-mail address already.", "E-mail address taken"],
  // The same whether or not a user has the address.
  domain_taken: [
    409,
    "Another organisation has the domain of this e-mail address. Ask its owner, or invite another address."
  ],
  last_owner: [409, "An organisation needs an owner: make another user owner first."],
  owner_limited: [409, "An owner cannot be limited to portfolios: give another role, or no limit."],
  second_factor_enabled: [409, "The second factor is switched on. Switch it off first."],
  second_factor_not_enabled: [409, "No second factor is switched on, or its set-up was not begun."],
  mail_not_configured: [409, "The server sends no mail, so it cannot confirm a new e-mail address. Ask the operator."],
  too_many_keys: [
    409,
    `Your organisation has ${maximumLiveApiKeys} live API keys, the maximum. Delete one first, or rotate without overlap.`,
    "Too many API keys"
  ],
  too_many_invitations: [
    409,
    `Your organisation has ${maximumInvitations} open invitations, the maximum. Withdraw one first.`
  ],
  too_many_views: [409, `Your organisation shares ${maximumSharedViews} views, the maximum. Delete one first.`],
  // The same for used, replaced, withdrawn, expired, unknown and malformed tokens.
  link_invalid: [410, "This link was used or replaced, or it has expired. Ask for a new one."]
} as const satisfies Record<string, readonly [status: number, detail: string, title?: string]>

const wordsOf = (code: string): string => `${code.slice(0, 1).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`

/** The default title is the code in words. A 401 must name a scheme; browsers show no dialog for this one. */
export const problem = (status: number, code: string, detail: string, title = wordsOf(code)): HostRefused =>
  new HostRefused({
    ...{ status, code, title, detail },
    ...(status === 401 ? { headers: { "www-authenticate": 'Session realm="console"' } } : {})
  })

/** The problems of the table by their codes. */
export const problems = Object.fromEntries(
  Object.entries(table).map(([code, [status, detail, title]]) => [code, problem(status, code, detail, title)])
) as Readonly<Record<keyof typeof table, HostRefused>>

/** Too much work of one kind in this process. */
export const overloaded = new HostRefused({ ...describeProblem("overloaded"), headers: { "retry-after": "5" } })

/** `needed` is the least role that may do this. */
export const roleInsufficient = (needed: Role): HostRefused =>
  problem(403, "role_insufficient", `Your role does not allow this; it needs the role ${needed}.`)

export const rateLimited = (detail: string, retryAfter: Duration.Duration): HostRefused =>
  new HostRefused({
    ...describeProblem("rate_limited"),
    detail,
    headers: { "retry-after": `${Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))}` }
  })
