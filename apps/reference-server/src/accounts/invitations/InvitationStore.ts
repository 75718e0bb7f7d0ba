/**
 * Invitations. Every method is one statement. An invitation stands while its inviter may give its
 * role, and no other organisation has its domain. Statements lock the organisation, then the inviter,
 * then the invitation.
 */
import { PgClient, PgEventLog } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { domainOf } from "../identity/LoginDomains.ts"
import { managedBy, type Role } from "../people/Role.ts"
import { loginOf, type User } from "../people/User.ts"
import { toUser } from "../people/UserRow.ts"
import { type Invitation, invitationStatements, type ShownInvitation } from "./InvitationStatements.ts"

export interface NewInvitation extends Pick<Invitation, "organisationId" | "id" | "email" | "name" | "role"> {
  readonly digest: string
  readonly inviter: UserId
  readonly now: number
  readonly expiresAt: number
}

export interface Acceptance {
  readonly digest: string
  readonly name: string
  readonly passwordHash: string
  readonly now: number
}

/**
 * `other`: the inviter may not give the role, or that of an invitation of the address that stands.
 * `foreign`: another organisation has the domain. `gone`: there is no such inviter.
 */
type Refused = "taken" | "full" | "other" | "foreign" | "gone"

/** Roles as a parameter: those that a user with this role may give. */
const givenBy = (role: Role): string => `{${managedBy(role).join()}}`

interface Named {
  readonly organisationId: OrganisationId
  readonly id: string
  /** Role of the acting user; an invitation with a role that it may not give is absent. */
  readonly by: Role
}

export class InvitationStore extends Context.Service<
  InvitationStore,
  {
    /** Replaces an earlier invitation of the address. */
    readonly insert: (invitation: NewInvitation) => Effect.Effect<ShownInvitation | Refused, RepositoryError>

    /** Open invitations, oldest first. */
    readonly list: (
      organisationId: OrganisationId,
      now: number
    ) => Effect.Effect<ReadonlyArray<Invitation>, RepositoryError>

    /** By digest alone: a token names no organisation. */
    readonly find: (digest: string, now: number) => Effect.Effect<Option.Option<ShownInvitation>, RepositoryError>

    /** Replaces the token. */
    readonly renew: (
      named: Named,
      token: Pick<NewInvitation, "digest" | "now" | "expiresAt">
    ) => Effect.Effect<Option.Option<ShownInvitation>, RepositoryError>

    /** False if there is none. */
    readonly delete: (named: Named) => Effect.Effect<boolean, RepositoryError>

    /**
     * Creates the user and ends the invitation; of several calls one succeeds. None if the
     * invitation does not stand; `taken` if a user of any organisation has the address.
     */
    readonly accept: (
      organisationId: OrganisationId,
      acceptance: Acceptance
    ) => Effect.Effect<Option.Option<User | "taken">, RepositoryError>

    /** Does nothing if the token was replaced since. */
    readonly markMailed: (
      organisationId: OrganisationId,
      digest: string,
      now: number
    ) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/InvitationStore") {
  static readonly layer: Layer.Layer<InvitationStore, never, PgClient> = Layer.effect(
    InvitationStore,
    Effect.gen(function* () {
      const sql = invitationStatements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      return InvitationStore.of({
        insert: Effect.fnUntraced(function* ({
          digest,
          email,
          expiresAt,
          id,
          inviter,
          name,
          now,
          organisationId,
          role
        }) {
          const subject = [organisationId, id, digest, loginOf(email), email, name, role, inviter]
          const origin = yield* originOf(organisationId)
          const outcome = yield* sql.insert(...subject, now, expiresAt, origin, domainOf(email))
          if (outcome === null) return "gone"
          if (!outcome.isAllowed) return "other"
          if (outcome.isForeign) return "foreign"
          if (outcome.isTaken) return "taken"
          return outcome.isFull ? "full" : (outcome.invitation ?? "other")
        }),
        list: (organisationId, now) => Effect.map(sql.list(organisationId, now), (rows) => rows ?? []),
        find: (digest, now) => Effect.map(sql.find(digest, now), Option.fromNullOr),
        renew: Effect.fnUntraced(function* ({ by, id, organisationId }, { digest, expiresAt, now }) {
          const origin = yield* originOf(organisationId)
          return Option.fromNullOr(yield* sql.renew(organisationId, id, digest, now, expiresAt, givenBy(by), origin))
        }),
        delete: Effect.fnUntraced(function* ({ by, id, organisationId }) {
          return (yield* sql.delete(organisationId, id, givenBy(by), yield* originOf(organisationId))) === true
        }),
        accept: Effect.fnUntraced(function* (organisationId, { digest, name, now, passwordHash }) {
          const origin = yield* originOf(organisationId)
          const outcome = yield* sql.accept(organisationId, digest, name, passwordHash, now, origin)
          if (outcome?.isFound !== true) return Option.none()
          return Option.some(outcome.user === null ? "taken" : toUser(outcome.user))
        }),
        markMailed: (organisationId, digest, now) => Effect.asVoid(sql.markMailed(organisationId, digest, now))
      })
    })
  )
}
