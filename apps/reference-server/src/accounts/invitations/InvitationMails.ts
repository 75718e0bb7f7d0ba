/** Mails of invitations. Without a mail server the inviter passes the link on. */
import type { Records } from "@solar-sites/core"
import { DateTime, Effect, Option, Schedule } from "effect"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { makeCommands } from "../Commands.ts"
import { linkKind } from "../login/LinkKind.ts"
import { Users } from "../people/Users.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import { markMailed } from "./InvitationAcceptance.ts"
import { findsOfInvitation, type Invitation, type ShownInvitation } from "./InvitationRules.ts"

/** `token` is for the inviter to pass on; null if the link is sent by mail. */
export interface IssuedInvitation {
  readonly invitation: Invitation
  readonly token: LinkToken.SessionToken | null
}

// As long as the attempts to make a mail: the database may be unavailable.
const markRetry = { schedule: Schedule.spaced("15 seconds"), times: 20 }

type Issue = (
  invitation: ShownInvitation,
  token: LinkToken.SessionToken
) => Effect.Effect<IssuedInvitation, MailQueueFull>

/** Queues the mail of an invitation. The mail is made after the response: its time would tell whether the address has a user. */
export const issueInvitation: Effect.Effect<Issue, never, Records | Users | Mailer> = Effect.gen(function* () {
  const { decide } = yield* makeCommands
  const users = yield* Users
  const mailer = yield* Mailer

  const markAccepted = Effect.fnUntraced(
    function* ({ organisationId }: ShownInvitation, digest: string) {
      const marking = decide({
        operation: "Invitations.markMailed",
        organisationId,
        of: { kind: linkKind, id: digest },
        finds: findsOfInvitation(organisationId, "digest", digest),
        rule: markMailed(digest, yield* DateTime.now)
      })
      yield* Effect.retry(marking, markRetry)
    },
    Effect.catchCause((cause) => Effect.logWarning("invitation not marked as mailed", cause))
  )

  const mailOf = Effect.fnUntraced(function* (invitation: ShownInvitation, token: LinkToken.SessionToken) {
    const letter = Option.isSome(yield* users.findByLogin(invitation.email))
      ? Letters.invitationOfUser(invitation)
      : Letters.invitation(invitation, token)
    return { to: invitation.email, letter, onAccepted: markAccepted(invitation, LinkToken.digest(token)) }
  })

  return Effect.fnUntraced(function* (invitation, token) {
    if (!mailer.isConfigured) return { invitation, token }
    if (!(yield* mailer.send(mailOf(invitation, token)))) return yield* new MailQueueFull()
    return { invitation, token: null }
  })
})
