/** Problems of accounts, and the one table from their refusals to problems. */
import { ValidationFailed } from "@solar-sites/core"
import type { Refusal } from "@solar-sites/http-node"
import { Duration, Effect } from "effect"
import {
  challenging,
  overloaded,
  problem,
  rateLimited,
  roleInsufficient,
  userNotFound
} from "../console/ConsoleProblems.ts"
import type { MailsLimited } from "../mail/MailLimits.ts"
import type { RefusalsIn } from "../Refusals.ts"
import { maximumInvitations } from "./invitations/InvitationRules.ts"
import type { LoginLimited } from "./login/LoginLimits.ts"
import type { PasswordRefused } from "./login/Password.ts"
import type { RoleInsufficient } from "./people/Role.ts"
import type { SecondFactorState } from "./second-factor/FactorRules.ts"

/** The same for used, replaced, withdrawn, expired, unknown and malformed tokens. */
export const linkInvalid = problem(
  410,
  "link_invalid",
  "This link was used or replaced, or it has expired. Ask for a new one."
)

/** The same for unknown and malformed ids and ids of other organisations. */
export const invitationNotFound = problem(
  404,
  "invitation_not_found",
  "Your organisation has no such invitation that you may change."
)

export const mailNotConfigured = problem(
  409,
  "mail_not_configured",
  "The server sends no mail, so it cannot confirm a new e-mail address. Ask the operator."
)

/** The same for unknown and malformed ids and sessions of other users. */
export const sessionNotFound = problem(404, "session_not_found", "You have no such session.")

export const secondFactorSetupRequired = problem(
  403,
  "second_factor_setup_required",
  "Your organisation requires a second factor. Set one up under your account.",
  "Second factor required"
)

/** An organisation that requires a factor does not let its users switch theirs off. */
export const secondFactorDemanded = problem(
  403,
  "second_factor_demanded",
  "Your organisation requires a second factor; it cannot be switched off."
)

const secondFactorEnabled = problem(
  409,
  "second_factor_enabled",
  "The second factor is switched on. Switch it off first."
)

const secondFactorNotEnabled = problem(
  409,
  "second_factor_not_enabled",
  "No second factor is switched on, or its set-up was not begun."
)

/** Without password and code only others remove a factor. */
export const ownSecondFactor = problem(
  403,
  "own_second_factor",
  "Switch your own second factor off under your account."
)

const secondFactorWrong = problem(
  403,
  "second_factor_wrong",
  "The code is wrong, or was used already. Enter the current code of the app, or an unused recovery code.",
  "Code wrong"
)

/** Problems of a request with a session, by the tags of refusals. */
const problems = {
  // The same whether or not a user has the address.
  DomainTaken: problem(
    409,
    "domain_taken",
    "Another organisation has the domain of this e-mail address. Ask its owner, or invite another address."
  ),
  EmailTaken: problem(409, "email_taken", "There is a user with this e-mail address already.", "E-mail address taken"),
  HasherOverloaded: rateLimited("Too many log in at this moment; see Retry-After.", Duration.seconds(1)),
  InvitationNotFound: invitationNotFound,
  LastOwner: problem(409, "last_owner", "An organisation needs an owner: make another user owner first."),
  LinkInvalid: linkInvalid,
  LoginFailed: problem(403, "password_wrong", "This is not your current password."),
  LoginLimited: ({ retryAfter }: LoginLimited) =>
    rateLimited("Too many logins have failed; see Retry-After.", retryAfter),
  MailQueueFull: overloaded,
  MailsLimited: ({ retryAfter }: MailsLimited) =>
    rateLimited("Too many mails in an hour; see Retry-After.", retryAfter),
  OwnerLimited: problem(
    409,
    "owner_limited",
    "An owner cannot be limited to portfolios: give another role, or no limit."
  ),
  PasswordRefused: ({ reason }: PasswordRefused) =>
    new ValidationFailed({ faults: [{ pointer: "/password", code: "invalid_value", detail: reason }] }),
  RoleInsufficient: ({ needed }: RoleInsufficient) => roleInsufficient(needed),
  SecondFactorRequired: challenging(
    problem(
      401,
      "second_factor_required",
      "Log in again with `code`: the current code of the authenticator app, or a recovery code.",
      "Code required"
    )
  ),
  SecondFactorState: ({ isEnabled }: SecondFactorState) => (isEnabled ? secondFactorEnabled : secondFactorNotEnabled),
  SecondFactorWrong: secondFactorWrong,
  TooManyInvitations: problem(
    409,
    "too_many_invitations",
    `Your organisation has ${maximumInvitations} open invitations, the maximum. Withdraw one first.`
  ),
  UserNotFound: userNotFound
}

type ProblemTable = typeof problems

/** The refusals of the table. An endpoint that ends with another one does not compile. */
export type AccountRefusal = RefusalsIn<ProblemTable>

/** Problems of a login. They do not tell whether address, password or organisation is the reason. */
const loginProblems: ProblemTable = {
  ...problems,
  LoginFailed: challenging(problem(401, "login_failed", "E-mail address or password is wrong.")),
  SecondFactorWrong: challenging(secondFactorWrong)
}

const refusingBy =
  (table: ProblemTable) =>
  <A, R>(serve: Effect.Effect<A, Refusal | AccountRefusal, R>): Effect.Effect<A, Refusal, R> =>
    Effect.mapError(serve, (refusal) => {
      if (!Object.hasOwn(table, refusal._tag)) return refusal as Refusal
      // The entry of a tag takes the refusal with that tag, which an index by a union cannot express.
      const entry = table[refusal._tag as AccountRefusal["_tag"]] as Refusal | ((refusal: unknown) => Refusal)
      return typeof entry === "function" ? entry(refusal) : entry
    })

/** Turns refusals of accounts into problems, for a request with a session. */
export const refusingAccount = refusingBy(problems)

/** The same for a request without one. */
export const refusingLogin = refusingBy(loginProblems)
