/** Users: look-ups by login and id in all organisations, and their changes by rules. */
import { PgClient, sql, table } from "@solar-sites/adapter-postgres"
import {
  makeUnchecked,
  type OrganisationId,
  type OrganisationNotFound,
  type OrganisationStatus,
  type Records,
  type RepositoryError,
  type UserId
} from "@solar-sites/core"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import { lookUp, milliseconds, statement } from "../Statement.ts"
import { type EmailTaken, type LastOwner, loginOf, User } from "./User.ts"
import { findsUsers, newUser, userKind, userOf } from "./UserKind.ts"
import { createUser, findsOfCreation, findsOfPassword, rehashPassword, setPassword } from "./UserRules.ts"

/** An authenticated user. `passwordVersion` counts changes of the password. */
export interface Authenticated {
  readonly user: Pick<User, "id" | "organisationId">
  readonly passwordVersion: number
}

/** A user with its password; null if it logs in at an OpenID provider only. */
export interface Credentials extends Authenticated {
  readonly user: User
  readonly organisationStatus: OrganisationStatus
  readonly passwordHash: string | null
}

/** A user as JSON. The instant is in milliseconds. */
type UserRow = Omit<Pick<User, keyof User>, "createdAt"> & { readonly createdAt: number }

const toUser = (row: UserRow): User => makeUnchecked(User, { ...row, createdAt: DateTime.makeUnsafe(row.createdAt) })

const statements = (client: PgClient["Service"]) => ({
  findOwner: lookUp<OrganisationId>(
    client,
    "UserStore.findOwner",
    sql`select to_json(u.organisation_id)::text from ${table("console_user")} u where u.id = $1::uuid`
  ),

  findByLogin: lookUp<{ user: UserRow } & Omit<Credentials, "user">>(
    client,
    "UserStore.findByLogin",
    sql`select json_build_object(
       'user', json_build_object('id', u.id, 'organisationId', u.organisation_id, 'email', u.email, 'name', u.name,
         'role', u.role, 'createdAt', ${milliseconds("u.created_at")}),
       'organisationStatus', o.status,
       'passwordHash', u.password_hash,
       'passwordVersion', u.password_version
     )::text
     from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
     where u.login = $1::text`
  ),

  lastLogins: statement<Readonly<Record<string, number>>>(
    client,
    "UserStore.lastLogins",
    sql`select coalesce(json_object_agg(x.id, x.at), '{}')::text from (
       select u.id, (
         select ${milliseconds("e.occurred_at")} from ${table("event")} e
         where e.organisation_id = $1::uuid and e.subject_id = u.id and e.type = 'user.logged_in'
         order by e.sequence desc limit 1
       ) as at from unnest($2::text::uuid[]) as u (id)
     ) x where x.at is not null`,
    { owned: true, repeatable: true }
  )
})

export class UserStore extends Context.Service<
  UserStore,
  {
    readonly insert: (
      user: User,
      passwordHash: string
    ) => Effect.Effect<void, EmailTaken | LastOwner | OrganisationNotFound | RepositoryError>

    readonly findByLogin: (email: string) => Effect.Effect<Option.Option<Credentials>, RepositoryError>

    /** Oldest first. */
    readonly list: (organisationId: OrganisationId) => Effect.Effect<ReadonlyArray<User>, RepositoryError>

    /** Last logins in milliseconds. A user without a login among the kept events is absent. */
    readonly lastLogins: (
      organisationId: OrganisationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyMap<string, number>, RepositoryError>

    /** The organisation of a user. For operators only, who know just the id of the user. */
    readonly findOwner: (userId: UserId) => Effect.Effect<Option.Option<OrganisationId>, RepositoryError>

    /**
     * Deletes the user's sessions. A login that was verified with the old password creates none.
     */
    readonly setPassword: (userId: UserId, passwordHash: string) => Effect.Effect<Option.Option<User>, RepositoryError>

    /** Replaces the hash of the same password; does nothing if the password has changed since. */
    readonly rehash: (credentials: Credentials, passwordHash: string) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/UserStore") {
  static readonly layer: Layer.Layer<UserStore, never, PgClient | Records> = Layer.effect(
    UserStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const { decide, load } = yield* makeCommands

      const ofUser = (operation: string, organisationId: OrganisationId, id: UserId) => ({
        operation: `UserStore.${operation}`,
        organisationId,
        of: { kind: userKind, id }
      })

      return UserStore.of({
        insert: (user, passwordHash) => {
          const record = newUser(user, passwordHash)
          const finds = findsOfCreation(record)
          return decide({ ...ofUser("insert", user.organisationId, user.id), finds, rule: createUser(record) })
        },
        findByLogin: (email) =>
          Effect.map(sql.findByLogin(loginOf(email)), (row) =>
            Option.map(Option.fromNullOr(row), ({ user, ...rest }) => ({ user: toUser(user), ...rest }))
          ),
        list: (organisationId) =>
          Effect.map(
            load("UserStore.list", organisationId, [
              { kind: userKind, by: "organisationId", values: [organisationId] }
            ]),
            (found) => found.all(userKind, "organisationId", organisationId).map(({ record }) => userOf(record))
          ),
        lastLogins: (organisationId, userIds) =>
          Effect.map(sql.lastLogins(organisationId, `{${userIds.join()}}`), (at) => new Map(Object.entries(at ?? {}))),
        findOwner: (userId) => Effect.map(sql.findOwner(userId), Option.fromNullOr),
        setPassword: Effect.fnUntraced(function* (userId, passwordHash) {
          const owner = yield* sql.findOwner(userId)
          if (owner === null) return Option.none()
          const finds = findsOfPassword(userId)
          const rule = setPassword(userId, passwordHash)
          return Option.fromNullOr(yield* decide({ ...ofUser("setPassword", owner, userId), finds, rule }))
        }),
        rehash: ({ passwordVersion, user: { id, organisationId } }, passwordHash) => {
          const rule = rehashPassword(id, passwordVersion, passwordHash)
          return decide({ ...ofUser("rehash", organisationId, id), finds: [findsUsers(id)], rule })
        }
      })
    })
  )
}
