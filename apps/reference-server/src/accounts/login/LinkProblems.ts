/** Refusals about invitations, links, sessions in lists and the own account. */
import { HostRefused } from "@solar-sites/http-node"
import { Effect } from "effect"
import { overloaded, ownerLimited, rateLimited, refuseRole } from "../../console/ConsoleProblems.ts"
import { maximumInvitations } from "../invitations/InvitationRules.ts"
import type { MailsLimited } from "../invitations/Invitations.ts"

/** The same for used, replaced, withdrawn, expired, unknown and malformed tokens. */
export const linkInvalid = new HostRefused({
  status: 410,
  code: "link_invalid",
  title: "Link invalid",
  detail: "This link was used or replaced, or it has expired. Ask for a new one."
})

const emailTaken = new HostRefused({
  status: 409,
  code: "email_taken",
  title: "E-mail address taken",
  detail: "There is a user with this e-mail address already."
})

/** The same whether or not a user has the address. */
const domainTaken = new HostRefused({
  status: 409,
  code: "domain_taken",
  title: "Domain taken",
  detail: "Another organisation has the domain of this e-mail address. Ask its owner, or invite another address."
})

/** The same for unknown and malformed ids and ids of other organisations. */
export const invitationNotFound = new HostRefused({
  status: 404,
  code: "invitation_not_found",
  title: "Invitation not found",
  detail: "Your organisation has no such invitation that you may change."
})

const tooManyInvitations = new HostRefused({
  status: 409,
  code: "too_many_invitations",
  title: "Too many invitations",
  detail: `Your organisation has ${maximumInvitations} open invitations, the maximum. Withdraw one first.`
})

export const mailNotConfigured = new HostRefused({
  status: 409,
  code: "mail_not_configured",
  title: "Mail not configured",
  detail: "The server sends no mail, so it cannot confirm a new e-mail address. Ask the operator."
})

/** The same for unknown and malformed ids and sessions of other users. */
export const sessionNotFound = new HostRefused({
  status: 404,
  code: "session_not_found",
  title: "Session not found",
  detail: "You have no such session."
})

type Refused = Effect.Effect<never, HostRefused>

export const refuseMail = ({ retryAfter }: Pick<MailsLimited, "retryAfter">): Refused =>
  Effect.fail(rateLimited("Too many mails in an hour; see Retry-After.", retryAfter))

/** For `catchTags`. */
export const linkRefusals = {
  LinkInvalid: (): Refused => Effect.fail(linkInvalid),
  EmailTaken: (): Refused => Effect.fail(emailTaken)
}

export const refuseFullQueue = (): Refused => Effect.fail(overloaded)

/** For `catchTags`. */
export const invitationRefusals = {
  InvitationNotFound: (): Refused => Effect.fail(invitationNotFound),
  MailQueueFull: refuseFullQueue,
  MailsLimited: refuseMail
}

/** For `catchTags`. */
export const creationRefusals = {
  ...invitationRefusals,
  DomainTaken: (): Refused => Effect.fail(domainTaken),
  EmailTaken: linkRefusals.EmailTaken,
  OwnerLimited: (): Refused => Effect.fail(ownerLimited),
  TooManyInvitations: (): Refused => Effect.fail(tooManyInvitations),
  RoleInsufficient: refuseRole
}
