/**
 * Links of users for a new password or e-mail address. A link is good for the version of the password that it was made
 * with; this also lets one of several uses win.
 */
import { mainChange, PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, Records, RepositoryError, UserId } from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import { type EmailTaken, loginOf, type User } from "../people/User.ts"
import { userKind } from "../people/UserKind.ts"
import { instant, statement } from "../Statement.ts"
import { findLinkOwner } from "./LinkOwner.ts"
import {
  confirmEmail,
  type EmailChange,
  findsOfLinks,
  findsOfReset,
  issueLink,
  type LinkPurpose,
  type OwnerIds,
  resetPassword,
  validLink
} from "./LinkRules.ts"

/** `passwordVersion` is a condition: the user has given the password of this version. */
export interface LinkOwner extends Pick<User, "id" | "organisationId"> {
  readonly passwordVersion?: number
}

/** Instants in milliseconds. `email` is the address that the link is sent to. */
export interface NewUserLink {
  readonly id: string
  readonly purpose: LinkPurpose
  readonly digest: string
  readonly email: string
  readonly now: number
  readonly expiresAt: number
}

/** `email` is that of the link. */
export interface FoundLink {
  readonly organisationId: OrganisationId
  readonly userId: UserId
  readonly email: string
}

const statements = (client: PgClient["Service"]) => ({
  deleteEnded: statement(
    client,
    "UserLinkStore.deleteEnded",
    sql`${mainChange} delete from ${table("console_link")} where expires_at <= ${instant("$1")}`,
    { repeatable: true }
  )
})

export class UserLinkStore extends Context.Service<
  UserLinkStore,
  {
    /** Replaces the earlier link of the user for the purpose. False without such a user. */
    readonly insert: (user: LinkOwner, link: NewUserLink) => Effect.Effect<boolean, RepositoryError>

    /** By digest alone: a token names no organisation. */
    readonly find: (
      purpose: LinkPurpose,
      digest: string,
      now: number
    ) => Effect.Effect<Option.Option<FoundLink>, RepositoryError>

    /** Sets the password, ends all links and sessions of the user. None if the link is not valid. */
    readonly reset: (
      link: OwnerIds,
      digest: string,
      passwordHash: string
    ) => Effect.Effect<Option.Option<User>, RepositoryError>

    /** Sets the address, ends all links of the user. None if the link is not valid. */
    readonly changeEmail: (
      link: OwnerIds,
      digest: string
    ) => Effect.Effect<Option.Option<EmailChange>, EmailTaken | RepositoryError>

    /** Deletes expired links, invitations included. */
    readonly deleteEnded: (now: number) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/UserLinkStore") {
  static readonly layer: Layer.Layer<UserLinkStore, never, PgClient | Records> = Layer.effect(
    UserLinkStore,
    Effect.gen(function* () {
      const client = yield* PgClient
      const sql = statements(client)
      const findOwner = findLinkOwner(client)
      const { decide, load } = yield* makeCommands

      const ofOwner = (operation: string, { organisationId, userId }: OwnerIds) => ({
        operation: `UserLinkStore.${operation}`,
        organisationId,
        of: { kind: userKind, id: userId }
      })

      return UserLinkStore.of({
        insert: ({ id: userId, organisationId, passwordVersion }, { email, expiresAt, now, ...link }) => {
          const owner = { organisationId, userId }
          const [createdAt, end] = [DateTime.makeUnsafe(now), DateTime.makeUnsafe(expiresAt)]
          const created = { ...link, email, login: loginOf(email), createdAt, expiresAt: end }
          const rule = issueLink(owner, created, passwordVersion)
          return decide({ ...ofOwner("insert", owner), finds: findsOfLinks(owner), rule })
        },
        find: Effect.fnUntraced(function* (purpose, digest, now) {
          const found = yield* findOwner(digest)
          if (found === null || found.userId === null) return Option.none()
          const owner = { organisationId: found.organisationId, userId: found.userId }
          const loaded = yield* load("UserLinkStore.find", owner.organisationId, findsOfLinks(owner))
          const valid = validLink(loaded, owner, purpose, digest, DateTime.makeUnsafe(now))
          return Option.map(Option.fromNullOr(valid), ({ link: { email } }) => ({ ...owner, email }))
        }),
        reset: (owner, digest, passwordHash) => {
          const rule = resetPassword(owner, digest, passwordHash)
          const resetting = decide({ ...ofOwner("reset", owner), finds: findsOfReset(owner), rule })
          return Effect.map(resetting, Option.fromNullOr)
        },
        changeEmail: (owner, digest) => {
          const rule = confirmEmail(owner, digest)
          const changing = decide({ ...ofOwner("changeEmail", owner), finds: findsOfLinks(owner), rule })
          return Effect.map(changing, Option.fromNullOr)
        },
        deleteEnded: (now) => Effect.asVoid(sql.deleteEnded(now))
      })
    })
  )
}
