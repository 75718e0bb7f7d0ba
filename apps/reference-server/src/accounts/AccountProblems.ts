/** The one table from refusals of accounts to problems. */
import { ValidationFailed } from "@solar-sites/core"
import type { Refusal } from "@solar-sites/http-node"
import { Duration, Effect } from "effect"
import { overloaded, problem, problems, rateLimited, roleInsufficient } from "../console/ConsoleProblems.ts"
import type { MailsLimited } from "../mail/MailLimits.ts"
import type { RefusalsIn } from "../Refusals.ts"
import type { LoginLimited } from "./login/LoginLimits.ts"
import type { PasswordRefused } from "./login/Password.ts"
import type { RoleInsufficient } from "./people/Role.ts"
import type { SecondFactorState } from "./second-factor/FactorRules.ts"

/** Problems of a request with a session, by the tags of refusals. */
const table = {
  DomainTaken: problems.domain_taken,
  EmailTaken: problems.email_taken,
  HasherOverloaded: rateLimited("Too many log in at this moment; see Retry-After.", Duration.seconds(1)),
  InvitationNotFound: problems.invitation_not_found,
  LastOwner: problems.last_owner,
  LinkInvalid: problems.link_invalid,
  LoginFailed: problems.password_wrong,
  LoginLimited: ({ retryAfter }: LoginLimited) =>
    rateLimited("Too many logins have failed; see Retry-After.", retryAfter),
  MailQueueFull: overloaded,
  MailsLimited: ({ retryAfter }: MailsLimited) =>
    rateLimited("Too many mails in an hour; see Retry-After.", retryAfter),
  OwnerLimited: problems.owner_limited,
  PasswordRefused: ({ reason }: PasswordRefused) =>
    new ValidationFailed({ faults: [{ pointer: "/password", code: "invalid_value", detail: reason }] }),
  RoleInsufficient: ({ needed }: RoleInsufficient) => roleInsufficient(needed),
  SecondFactorRequired: problems.second_factor_required,
  SecondFactorState: ({ isEnabled }: SecondFactorState) =>
    isEnabled ? problems.second_factor_enabled : problems.second_factor_not_enabled,
  SecondFactorWrong: problems.second_factor_wrong,
  TooManyInvitations: problems.too_many_invitations,
  UserNotFound: problems.user_not_found
}

type ProblemTable = typeof table

/** The refusals of the table. An endpoint that ends with another one does not compile. */
export type AccountRefusal = RefusalsIn<ProblemTable>

const { code, detail, title } = problems.second_factor_wrong

/** Problems of a login. They do not tell whether address, password or organisation is the reason. */
const loginProblems: ProblemTable = {
  ...table,
  LoginFailed: problems.login_failed,
  SecondFactorWrong: problem(401, code, detail, title)
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
export const refusingAccount = refusingBy(table)

/** The same for a request without one. */
export const refusingLogin = refusingBy(loginProblems)
