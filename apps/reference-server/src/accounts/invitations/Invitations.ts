/** Invitations of users to an organisation, for 7 days (docs/decisions/0033). */
import { PgClient } from "@solar-sites/adapter-postgres"
import { CallerLimited, IdGenerator, type Name, UserId } from "@solar-sites/core"
import { DateTime, Duration, Effect, Schedule } from "effect"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { invitationDays } from "../AccountPolicy.ts"
import { asUser, makeCommands } from "../Commands.ts"
import { domainOf, findDomainsOfOthers } from "../identity/LoginDomains.ts"
import { findLinkOwner } from "../login/LinkStatements.ts"
import type { Password } from "../login/Password.ts"
import { PasswordHasher } from "../login/PasswordHasher.ts"
import { digestIn } from "../login/UserLinks.ts"
import { insufficientFor, mayManage } from "../people/Role.ts"
import { loginOf } from "../people/User.ts"
import { userLookUps } from "../people/UserLookUps.ts"
import type { Session } from "../sessions/Sessions.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import {
  acceptInvitation,
  type CreatedInvitation,
  createInvitation,
  findsOfInvitations,
  InvitationNotFound,
  markMailed,
  renewInvitation,
  type ShownInvitation,
  standing,
  standingByDigest,
  withdrawInvitation
} from "./InvitationRules.ts"

const life = Duration.days(invitationDays)

// As long as the attempts to make a mail: the database may be unavailable.
const markRetry = { schedule: Schedule.spaced("15 seconds"), times: 20 }

/** `token` is for the inviter to pass on; null if the link is sent by mail. */
export interface IssuedInvitation {
  readonly invitation: ShownInvitation
  readonly token: LinkToken.SessionToken | null
}

/** The inviting user. */
type Inviter = Session["user"]

const newToken = Effect.gen(function* () {
  const token = yield* LinkToken.generate
  const createdAt = yield* DateTime.now
  return { token, digest: LinkToken.digest(token), createdAt, expiresAt: DateTime.addDuration(createdAt, life) }
})

export const invitations = Effect.gen(function* () {
  const client = yield* PgClient
  const findOwner = findLinkOwner(client)
  const domainsOfOthers = findDomainsOfOthers(client)
  const { decide, load } = yield* makeCommands
  const hasher = yield* PasswordHasher
  const { findByLogin } = yield* userLookUps
  const mailer = yield* Mailer
  const limits = yield* MailLimits
  const nextId = yield* IdGenerator

  const markAccepted = Effect.fnUntraced(
    function* ({ digest, organisationId }: ShownInvitation) {
      yield* Effect.retry(decide(markMailed(organisationId, digest, yield* DateTime.now)), markRetry)
    },
    Effect.catchCause((cause) => Effect.logWarning("invitation not marked as mailed", cause))
  )

  const mailOf = Effect.fnUntraced(function* (invitation: ShownInvitation, token: LinkToken.SessionToken) {
    const isKnown = (yield* findByLogin(invitation.email)) !== null
    const letter = isKnown ? Letters.invitationOfUser(invitation) : Letters.invitation(invitation, token)
    return { to: invitation.email, letter, onAccepted: markAccepted(invitation) }
  })

  /** Queues the mail, which is made after the response: its time would tell whether the address has a user. */
  const issued = Effect.fnUntraced(function* (invitation: ShownInvitation, token: LinkToken.SessionToken) {
    if (!mailer.isConfigured) return { invitation, token }
    if (!(yield* mailer.send(mailOf(invitation, token)))) return yield* new MailQueueFull()
    return { invitation, token: null }
  })

  /** Open invitations that are there for the user, oldest first. */
  const list = Effect.fnUntraced(function* (user: Inviter) {
    const found = yield* load("Invitations.list", user.organisationId, findsOfInvitations(user.organisationId))
    return standing(found, user, yield* DateTime.now)
  })

  const look = Effect.fn("Invitations.look")(function* (text: string) {
    const digest = yield* digestIn(text)
    const { organisationId } = yield* findOwner(digest)
    const found = yield* load("Invitations.look", organisationId, findsOfInvitations(organisationId, "digest", digest))
    return (yield* Effect.fromResult(standingByDigest(found, digest, yield* DateTime.now))).invitation
  })

  return {
    list,
    look,

    /**
     * Replaces an earlier invitation of the address. After `MailQueueFull` it waits for `renew`.
     * `DomainTaken` whether or not a user has the address: its organisation decides. `EmailTaken` only for a user of the same
     * organisation: the inviter does not learn whether another one has the address.
     */
    create: Effect.fn("Invitations.create")(function* (
      user: Inviter,
      invited: Pick<CreatedInvitation, "email" | "name" | "portfolioIds" | "role">
    ) {
      const { email, portfolioIds, role } = invited
      const { organisationId } = user
      if (!mayManage(user.role, role)) return yield* insufficientFor(user.role)
      if (portfolioIds === null && user.portfolioIds !== null) return yield* new CallerLimited()
      yield* limits.takeNamed(organisationId, email)
      const { token, ...link } = yield* newToken
      const domain = domainOf(email)
      const taken = yield* domainsOfOthers({ organisationId, domains: JSON.stringify([domain]) })
      const subject = { ...invited, organisationId, id: yield* nextId, inviter: user.id }
      const isForeign = taken !== null && taken.length > 0
      const creating = decide(createInvitation({ ...subject, ...link, login: loginOf(email), domain, isForeign }))
      return yield* issued(yield* creating, token)
    }),

    /** Replaces the link. */
    renew: Effect.fn("Invitations.renew")(function* (user: Inviter, id: string) {
      const known = (yield* list(user)).find((invitation) => invitation.id === id)
      if (known === undefined) return yield* new InvitationNotFound()
      yield* limits.takeNamed(user.organisationId, known.email)
      const { digest, expiresAt, token } = yield* newToken
      return yield* issued(yield* decide(renewInvitation(id, user, { digest, expiresAt })), token)
    }),

    withdraw: Effect.fn("Invitations.withdraw")((user: Inviter, id: string) => decide(withdrawInvitation(id, user))),

    /** Creates the user. Of several calls with one token, one succeeds. The password is hashed for valid links only. */
    accept: Effect.fn("Invitations.accept")(function* ({
      name,
      password,
      token
    }: {
      readonly token: string
      readonly name: typeof Name.Type
      readonly password: Password
    }) {
      const { digest, email, id, organisation, organisationId } = yield* look(token)
      const passwordHash = yield* hasher.withPermit(hasher.hashNew(password, [name, email, organisation]))
      const accepting = decide(acceptInvitation(organisationId, digest, name, passwordHash))
      return yield* asUser({ organisationId, id: UserId.make(id) })(accepting)
    })
  }
})
