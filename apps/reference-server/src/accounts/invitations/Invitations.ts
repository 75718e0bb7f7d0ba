/** Invitations of users to an organisation, for 7 days (docs/decisions/0033). */
import {
  Caller,
  CurrentCaller,
  IdGenerator,
  type Name,
  type OrganisationId,
  type RepositoryError,
  UserId
} from "@solar-sites/core"
import { Clock, Context, Data, Duration, Effect, Layer, Option, Schedule } from "effect"
import * as Letters from "../../mail/Letters.ts"
import { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { invitationDays } from "../AccountPolicy.ts"
import { DomainTaken } from "../identity/DomainRules.ts"
import { domainOf } from "../identity/LoginDomains.ts"
import type { Password, PasswordRefused } from "../login/Password.ts"
import { type HasherOverloaded, PasswordHasher } from "../login/PasswordHasher.ts"
import { type LinkInvalid, linkToken, validLink } from "../login/UserLinks.ts"
import { insufficientFor, mayManage, type RoleInsufficient } from "../people/Role.ts"
import { EmailTaken, type User } from "../people/User.ts"
import { Users } from "../people/Users.ts"
import type { Session } from "../sessions/Sessions.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import type { Invitation, ShownInvitation } from "./InvitationRules.ts"
import { InvitationStore, type NewInvitation } from "./InvitationStore.ts"

const life = Duration.toMillis(Duration.days(invitationDays))

// As long as the attempts to make a mail: the database may be unavailable.
const markRetry = { schedule: Schedule.spaced("15 seconds"), times: 20 }

/** The organisation has no such invitation, or not one that the user may change. */
export class InvitationNotFound extends Data.TaggedError("InvitationNotFound")<Record<never, never>> {}

export class TooManyInvitations extends Data.TaggedError("TooManyInvitations")<Record<never, never>> {}

/** Too many mails to the address, or of the organisation, in an hour. */
export class MailsLimited extends Data.TaggedError("MailsLimited")<{ readonly retryAfter: Duration.Duration }> {}

/** The inviting user. */
export type Inviter = Pick<Session, "user" | "organisation">

/** `token` is for the inviter to pass on; null if the link is sent by mail. */
export interface IssuedInvitation {
  readonly invitation: Invitation
  readonly token: LinkToken.SessionToken | null
}

export interface AcceptInvitation {
  readonly token: string
  readonly name: typeof Name.Type
  readonly password: Password
}

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Open invitations, oldest first. */
    readonly list: (organisationId: OrganisationId) => Effect.Effect<ReadonlyArray<Invitation>, RepositoryError>

    /**
     * Replaces an earlier invitation of the address. After `MailQueueFull` it waits for `renew`.
     * `DomainTaken` whether or not a user has the address: its organisation decides. `EmailTaken` only for a user of the same
     * organisation: the inviter does not learn whether another one has the address.
     */
    readonly create: (
      inviter: Inviter,
      invited: Pick<NewInvitation, "email" | "name" | "role">
    ) => Effect.Effect<
      IssuedInvitation,
      | DomainTaken
      | EmailTaken
      | InvitationNotFound
      | MailQueueFull
      | MailsLimited
      | RoleInsufficient
      | TooManyInvitations
      | RepositoryError
    >

    /** Replaces the link. */
    readonly renew: (
      inviter: Inviter,
      id: string
    ) => Effect.Effect<IssuedInvitation, InvitationNotFound | MailQueueFull | MailsLimited | RepositoryError>

    readonly withdraw: (inviter: Inviter, id: string) => Effect.Effect<void, InvitationNotFound | RepositoryError>

    readonly look: (token: string) => Effect.Effect<ShownInvitation, LinkInvalid | RepositoryError>

    /** Creates the user. Of several calls with one token, one succeeds. */
    readonly accept: (
      input: AcceptInvitation
    ) => Effect.Effect<User, EmailTaken | HasherOverloaded | LinkInvalid | PasswordRefused | RepositoryError>
  }
>()("@solar-sites/reference-server/Invitations") {
  static readonly layer: Layer.Layer<
    Invitations,
    never,
    InvitationStore | Users | PasswordHasher | Mailer | MailLimits
  > = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const store = yield* InvitationStore
      const users = yield* Users
      const hasher = yield* PasswordHasher
      const mailer = yield* Mailer
      const limits = yield* MailLimits
      const nextId = yield* IdGenerator

      const limit = Effect.fnUntraced(function* (organisationId: OrganisationId, email: string) {
        const retryAfter = yield* limits.takeNamed(organisationId, email)
        if (retryAfter !== null) return yield* new MailsLimited({ retryAfter })
      })

      const newToken = Effect.gen(function* () {
        const token = yield* LinkToken.generate
        const now = yield* Clock.currentTimeMillis
        return { token, now, digest: LinkToken.digest(token), expiresAt: now + life }
      })

      const markMailed = (organisationId: OrganisationId, digest: string) =>
        Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) => Effect.retry(store.markMailed(organisationId, digest, now), markRetry)),
          Effect.catchCause((cause) => Effect.logWarning("invitation not marked as mailed", cause))
        )

      const mailOf = Effect.fnUntraced(function* (invitation: ShownInvitation, token: LinkToken.SessionToken) {
        const { email, organisationId } = invitation
        const letter = Option.isSome(yield* users.findByLogin(email))
          ? Letters.invitationOfUser(invitation)
          : Letters.invitation(invitation, token)
        return { to: email, letter, onAccepted: markMailed(organisationId, LinkToken.digest(token)) }
      })

      /** The mail is made after the response: its time would tell whether the address has a user. */
      const issued = Effect.fnUntraced(function* (invitation: ShownInvitation, token: LinkToken.SessionToken) {
        if (!mailer.isConfigured) return { invitation, token }
        if (!(yield* mailer.send(mailOf(invitation, token)))) return yield* new MailQueueFull()
        return { invitation, token: null }
      })

      const create: Invitations["Service"]["create"] = Effect.fn("Invitations.create")(function* (
        { organisation, user },
        { email, name, role }
      ) {
        if (!mayManage(user.role, role)) return yield* insufficientFor(user.role)
        yield* limit(organisation.id, email)
        const { token, ...times } = yield* newToken
        const subject = { organisationId: organisation.id, id: yield* nextId, email, name, role }
        const outcome = yield* store.insert({ ...subject, ...times, inviter: user.id })
        if (outcome === "foreign") return yield* new DomainTaken({ domains: [domainOf(email)] })
        if (outcome === "taken") return yield* new EmailTaken({ email })
        if (outcome === "full") return yield* new TooManyInvitations()
        if (outcome === "other") return yield* insufficientFor(user.role)
        if (outcome === "gone") return yield* new InvitationNotFound()
        return yield* issued(outcome, token)
      })

      const renew: Invitations["Service"]["renew"] = Effect.fn("Invitations.renew")(function* (
        { organisation, user },
        id
      ) {
        const named = { organisationId: organisation.id, id, by: user.role }
        const known = (yield* list(organisation.id)).find((invitation) => invitation.id === id)
        if (known === undefined) return yield* new InvitationNotFound()
        yield* limit(organisation.id, known.email)
        const { token, ...times } = yield* newToken
        const renewed = yield* store.renew(named, times)
        if (Option.isNone(renewed)) return yield* new InvitationNotFound()
        return yield* issued(renewed.value, token)
      })

      const withdraw: Invitations["Service"]["withdraw"] = Effect.fn("Invitations.withdraw")(function* (
        { organisation, user },
        id
      ) {
        const withdrawn = yield* store.delete({ organisationId: organisation.id, id, by: user.role })
        if (!withdrawn) return yield* new InvitationNotFound()
      })

      const list = (organisationId: OrganisationId) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => store.list(organisationId, now))

      const look = Effect.fn("Invitations.look")(function* (text: string) {
        const digest = LinkToken.digest(yield* linkToken(text))
        return yield* Effect.flatMap(store.find(digest, yield* Clock.currentTimeMillis), validLink)
      })

      // The password is hashed for valid links only.
      const accept = Effect.fn("Invitations.accept")(function* ({ name, password, token }: AcceptInvitation) {
        const { email, id, organisation, organisationId } = yield* look(token)
        const passwordHash = yield* hasher.withPermit(hasher.hashNew(password, [name, email, organisation]))
        const now = yield* Clock.currentTimeMillis
        const digest = LinkToken.digest(yield* linkToken(token))
        // The new user is the actor of the event.
        const caller = new Caller({ organisationId, userId: UserId.make(id), apiKeyId: null })
        const accepted = yield* store
          .accept(organisationId, { digest, name, passwordHash, now })
          .pipe(Effect.provideService(CurrentCaller, caller), Effect.flatMap(validLink))
        return accepted === "taken" ? yield* new EmailTaken({ email }) : accepted
      })

      return Invitations.of({ list, create, renew, withdraw, look, accept })
    })
  )
}
