/** Invitations. One stands while its inviter may give its role, and no other organisation has its domain. */
import { PgClient } from "@solar-sites/adapter-postgres"
import type { OrganisationId, Records, RepositoryError, UserId } from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import { domainOf, findDomainsOfOthers } from "../identity/LoginDomains.ts"
import { linkKind } from "../login/LinkKind.ts"
import { findLinkOwner } from "../login/LinkOwner.ts"
import type { Role } from "../people/Role.ts"
import { loginOf, type User } from "../people/User.ts"
import {
  acceptInvitation,
  createInvitation,
  findsOfCreation,
  findsOfInvitation,
  findsOfInvitations,
  type Invitation,
  markMailed,
  type Refused,
  renewInvitation,
  type ShownInvitation,
  standing,
  standingByDigest,
  withdrawInvitation
} from "./InvitationRules.ts"

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
  static readonly layer: Layer.Layer<InvitationStore, never, PgClient | Records> = Layer.effect(
    InvitationStore,
    Effect.gen(function* () {
      const client = yield* PgClient
      const findOwner = findLinkOwner(client)
      const domainsOfOthers = findDomainsOfOthers(client)
      const { decide, load } = yield* makeCommands

      const ofInvitation = (operation: string, organisationId: OrganisationId, by: "id" | "digest", value: string) => ({
        operation: `InvitationStore.${operation}`,
        organisationId,
        of: { kind: linkKind, id: value },
        finds: findsOfInvitation(organisationId, by, value)
      })

      const insert: InvitationStore["Service"]["insert"] = Effect.fnUntraced(function* ({
        expiresAt,
        now,
        ...invitation
      }) {
        const { email, organisationId } = invitation
        const domain = domainOf(email)
        const taken = yield* domainsOfOthers(organisationId, JSON.stringify([domain]))
        const times = { createdAt: DateTime.makeUnsafe(now), expiresAt: DateTime.makeUnsafe(expiresAt) }
        const isForeign = taken !== null && taken.length > 0
        const created = { ...invitation, ...times, login: loginOf(email), domain, isForeign }
        return yield* decide({
          operation: "InvitationStore.insert",
          organisationId,
          of: { kind: linkKind, id: created.login },
          finds: findsOfCreation(created),
          rule: createInvitation(created)
        })
      })

      const find: InvitationStore["Service"]["find"] = Effect.fnUntraced(function* (digest, now) {
        const owner = yield* findOwner(digest)
        if (owner === null) return Option.none()
        const finds = findsOfInvitation(owner.organisationId, "digest", digest)
        const found = yield* load("InvitationStore.find", owner.organisationId, finds)
        return Option.fromNullOr(standingByDigest(found, digest, DateTime.makeUnsafe(now)))
      })

      return InvitationStore.of({
        insert,
        find,
        list: (organisationId, now) =>
          Effect.map(load("InvitationStore.list", organisationId, findsOfInvitations(organisationId)), (found) =>
            standing(found, organisationId, DateTime.makeUnsafe(now))
          ),
        renew: ({ by, id, organisationId }, { digest, expiresAt }) => {
          const rule = renewInvitation(id, by, { digest, expiresAt: DateTime.makeUnsafe(expiresAt) })
          return Effect.map(decide({ ...ofInvitation("renew", organisationId, "id", id), rule }), Option.fromNullOr)
        },
        delete: ({ by, id, organisationId }) =>
          decide({ ...ofInvitation("delete", organisationId, "id", id), rule: withdrawInvitation(id, by) }),
        accept: (organisationId, { digest, name, passwordHash }) => {
          const rule = acceptInvitation(digest, name, passwordHash)
          const accepting = decide({ ...ofInvitation("accept", organisationId, "digest", digest), rule })
          return Effect.map(accepting, Option.fromNullOr)
        },
        markMailed: (organisationId, digest, now) => {
          const rule = markMailed(digest, DateTime.makeUnsafe(now))
          return decide({ ...ofInvitation("markMailed", organisationId, "digest", digest), rule })
        }
      })
    })
  )
}
