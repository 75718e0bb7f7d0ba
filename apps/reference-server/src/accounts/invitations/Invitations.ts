/** Invitations of users to an organisation, for 7 days (docs/decisions/0033). */
import { PgClient } from "@solar-sites/adapter-postgres"
import {
  Caller,
  CallerLimited,
  CurrentCaller,
  IdGenerator,
  type Name,
  type OrganisationId,
  type PortfolioLimit,
  type Records,
  type RepositoryError,
  UserId
} from "@solar-sites/core"
import { Context, Data, DateTime, Duration, Effect, Layer } from "effect"
import type { Mailer, MailQueueFull } from "../../mail/Mailer.ts"
import { MailLimits } from "../../mail/MailLimits.ts"
import { invitationDays } from "../AccountPolicy.ts"
import { makeCommands } from "../Commands.ts"
import { DomainTaken } from "../identity/DomainRules.ts"
import { domainOf, findDomainsOfOthers } from "../identity/LoginDomains.ts"
import { linkKind } from "../login/LinkKind.ts"
import { findLinkOwner } from "../login/LinkStatements.ts"
import type { Password, PasswordRefused } from "../login/Password.ts"
import { type HasherOverloaded, PasswordHasher } from "../login/PasswordHasher.ts"
import { type LinkInvalid, linkToken, validLink } from "../login/UserLinks.ts"
import type { LimitRefusal } from "../people/Authority.ts"
import { insufficientFor, mayManage, type RoleInsufficient } from "../people/Role.ts"
import { EmailTaken, loginOf, type User } from "../people/User.ts"
import type { Users } from "../people/Users.ts"
import type { Session } from "../sessions/Sessions.ts"
import * as LinkToken from "../sessions/SessionToken.ts"
import { acceptInvitation } from "./InvitationAcceptance.ts"
import { type IssuedInvitation, issueInvitation } from "./InvitationMails.ts"
import {
  createInvitation,
  findsOfCreation,
  findsOfInvitation,
  findsOfInvitations,
  type Invitation,
  renewInvitation,
  type ShownInvitation,
  standing,
  standingByDigest,
  withdrawInvitation
} from "./InvitationRules.ts"

const life = Duration.days(invitationDays)

/** The organisation has no such invitation, or not one that the user may change. */
export class InvitationNotFound extends Data.TaggedError("InvitationNotFound")<Record<never, never>> {}

export class TooManyInvitations extends Data.TaggedError("TooManyInvitations")<Record<never, never>> {}

/** Too many mails to the address, or of the organisation, in an hour. */
export class MailsLimited extends Data.TaggedError("MailsLimited")<{ readonly retryAfter: Duration.Duration }> {}

/** The inviting user. */
export type Inviter = Pick<Session, "user" | "organisation">

export interface AcceptInvitation {
  readonly token: string
  readonly name: typeof Name.Type
  readonly password: Password
}

export class Invitations extends Context.Service<
  Invitations,
  {
    /** Open invitations that are there for the user, oldest first. */
    readonly list: (viewer: Inviter) => Effect.Effect<ReadonlyArray<Invitation>, RepositoryError>

    /**
     * Replaces an earlier invitation of the address. After `MailQueueFull` it waits for `renew`.
     * `DomainTaken` whether or not a user has the address: its organisation decides. `EmailTaken` only for a user of the same
     * organisation: the inviter does not learn whether another one has the address.
     */
    readonly create: (
      inviter: Inviter,
      invited: Pick<Invitation, "email" | "name" | "role"> & { readonly portfolioIds?: PortfolioLimit }
    ) => Effect.Effect<
      IssuedInvitation,
      | DomainTaken
      | EmailTaken
      | InvitationNotFound
      | LimitRefusal
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
    PgClient | Records | Users | PasswordHasher | Mailer | MailLimits
  > = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const client = yield* PgClient
      const findOwner = findLinkOwner(client)
      const domainsOfOthers = findDomainsOfOthers(client)
      const { decide, load } = yield* makeCommands
      const hasher = yield* PasswordHasher
      const issued = yield* issueInvitation
      const limits = yield* MailLimits
      const nextId = yield* IdGenerator

      const limit = Effect.fnUntraced(function* (organisationId: OrganisationId, email: string) {
        const retryAfter = yield* limits.takeNamed(organisationId, email)
        if (retryAfter !== null) return yield* new MailsLimited({ retryAfter })
      })

      const newToken = Effect.gen(function* () {
        const token = yield* LinkToken.generate
        const createdAt = yield* DateTime.now
        const expiresAt = DateTime.addDuration(createdAt, life)
        return { token, digest: LinkToken.digest(token), createdAt, expiresAt }
      })

      const ofInvitation = (operation: string, organisationId: OrganisationId, by: "id" | "digest", value: string) => ({
        operation: `Invitations.${operation}`,
        organisationId,
        of: { kind: linkKind, id: value },
        finds: findsOfInvitation(organisationId, by, value)
      })

      const create: Invitations["Service"]["create"] = Effect.fn("Invitations.create")(function* (
        { organisation, user },
        { role, ...invited }
      ) {
        const { email, portfolioIds } = invited
        if (!mayManage(user.role, role)) return yield* insufficientFor(user.role)
        if (portfolioIds === null && user.portfolioIds !== null) return yield* new CallerLimited()
        yield* limit(organisation.id, email)
        const { token, ...link } = yield* newToken
        const subject = { ...invited, organisationId: organisation.id, id: yield* nextId, role, inviter: user.id }
        const domain = domainOf(email)
        const taken = yield* domainsOfOthers({ organisationId: organisation.id, domains: JSON.stringify([domain]) })
        const isForeign = taken !== null && taken.length > 0
        const created = { ...subject, ...link, login: loginOf(email), domain, isForeign }
        const outcome = yield* decide({
          operation: "Invitations.create",
          organisationId: organisation.id,
          of: { kind: linkKind, id: created.login },
          finds: findsOfCreation(created),
          rule: createInvitation(created)
        })
        if (outcome === "foreign") return yield* new DomainTaken({ domains: [domain] })
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
        const known = (yield* list({ organisation, user })).find((invitation) => invitation.id === id)
        if (known === undefined) return yield* new InvitationNotFound()
        yield* limit(organisation.id, known.email)
        const { digest, expiresAt, token } = yield* newToken
        const rule = renewInvitation(id, user, { digest, expiresAt })
        const renewed = yield* decide({ ...ofInvitation("renew", organisation.id, "id", id), rule })
        return renewed === null ? yield* new InvitationNotFound() : yield* issued(renewed, token)
      })

      const withdraw: Invitations["Service"]["withdraw"] = Effect.fn("Invitations.withdraw")(function* (
        { organisation, user },
        id
      ) {
        const rule = withdrawInvitation(id, user)
        const isWithdrawn = yield* decide({ ...ofInvitation("withdraw", organisation.id, "id", id), rule })
        if (!isWithdrawn) return yield* new InvitationNotFound()
      })

      const list = Effect.fnUntraced(function* ({ organisation: { id }, user }: Inviter) {
        const now = yield* DateTime.now
        return standing(yield* load("Invitations.list", id, findsOfInvitations(id)), id, now, user)
      })

      const look = Effect.fn("Invitations.look")(function* (text: string) {
        const digest = LinkToken.digest(yield* linkToken(text))
        const now = yield* DateTime.now
        const { organisationId } = yield* Effect.flatMap(findOwner({ digest }), validLink)
        const finds = findsOfInvitation(organisationId, "digest", digest)
        return yield* validLink(standingByDigest(yield* load("Invitations.look", organisationId, finds), digest, now))
      })

      // The password is hashed for valid links only.
      const accept = Effect.fn("Invitations.accept")(function* ({ name, password, token }: AcceptInvitation) {
        const { email, id, organisation, organisationId } = yield* look(token)
        const passwordHash = yield* hasher.withPermit(hasher.hashNew(password, [name, email, organisation]))
        const digest = LinkToken.digest(yield* linkToken(token))
        // The new user is the actor of the event.
        const caller = new Caller({ organisationId, userId: UserId.make(id), apiKeyId: null })
        const rule = acceptInvitation(digest, name, passwordHash)
        const accepted = yield* decide({ ...ofInvitation("accept", organisationId, "digest", digest), rule }).pipe(
          Effect.provideService(CurrentCaller, caller),
          Effect.flatMap(validLink)
        )
        return accepted === "taken" ? yield* new EmailTaken({ email }) : accepted
      })

      return Invitations.of({ list, create, renew, withdraw, look, accept })
    })
  )
}
