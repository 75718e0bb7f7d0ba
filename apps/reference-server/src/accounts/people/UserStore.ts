/** Users in the table `console_user`. Every change is one statement, which also writes its event. */
import { mainChange, mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import {
  type OrganisationId,
  OrganisationNotFound,
  type OrganisationStatus,
  type RepositoryError,
  type UserId
} from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { instant, milliseconds, organisationRow, statement } from "../Statement.ts"
import { EmailTaken, LastOwner, loginOf, type User } from "./User.ts"
import { about, changed, columns, toUser, type UserRow } from "./UserRow.ts"

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

const statements = (client: PgClient["Service"]) => {
  return {
    insert: statement<{ readonly organisation: boolean; readonly owner: boolean; readonly inserted: boolean }>(
      client,
      "UserStore.insert",
      sql`with o as (
         select id, $9::text = 'owner' or exists (
           select from ${table("console_user")} u where u.organisation_id = $1::uuid and u.role = 'owner'
         ) as has_owner
         from ${table("organisation")} where id = $1::uuid for key share
       ), inserted as (
         insert into ${table("console_user")}
           (organisation_id, id, login, email, name, password_hash, password_version, created_at, role)
         select o.id, $2::uuid, $3::text, $4::text, $5::text, $6::text, 1, ${instant("$7")}, $9::text from o where has_owner
         on conflict (login) do nothing
         returning id, name, email, role
       ), ${PgEventLog.writeEvents({
         type: "user.created",
         from: `inserted u cross join ${PgEventLog.originFrom("$8", "o")}`,
         ...about(
           changed("email", "null", "u.email"),
           changed("name", "null", "u.name"),
           changed("role", "null", "u.role")
         )
       })}
       ${mainQuery} select json_build_object(
         'organisation', exists (select from o),
         'owner', exists (select from o where has_owner),
         'inserted', exists (select from inserted)
       )::text, ${PgEventLog.writtenTypes}`,
      { owned: true }
    ),

    findOwner: statement<OrganisationId>(
      client,
      "UserStore.findOwner",
      sql`select to_json(u.organisation_id)::text from ${table("console_user")} u where u.id = $1::uuid`,
      { repeatable: true }
    ),

    findByLogin: statement<{ user: UserRow } & Omit<Credentials, "user">>(
      client,
      "UserStore.findByLogin",
      sql`select json_build_object(
         'user', (select to_json(x) from (select ${columns("u")}) x),
         'organisationStatus', o.status,
         'passwordHash', u.password_hash,
         'passwordVersion', u.password_version
       )::text
       from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
       where u.login = $1::text`,
      { repeatable: true }
    ),

    list: statement<ReadonlyArray<UserRow>>(
      client,
      "UserStore.list",
      sql`select coalesce(json_agg(x order by x.id), '[]')::text
       from (select ${columns("u")} from ${table("console_user")} u where u.organisation_id = $1::uuid) x`,
      { repeatable: true }
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
    ),

    setPassword: statement<UserRow>(
      client,
      "UserStore.setPassword",
      sql`with ${organisationRow}, u as (
         update ${table("console_user")} u set password_hash = $3::text, password_version = u.password_version + 1
         from organisation_row r
         where u.organisation_id = r.id and u.id = $2::uuid
         returning u.*
       ), ended as (
         delete from ${table("console_session")} s using u
         where s.organisation_id = u.organisation_id and s.user_id = u.id
         returning s.digest
       ), ${PgEventLog.writeEvents({
         type: "user.updated",
         from: `u cross join (select count(*) from ended) e cross join ${PgEventLog.originFrom("$4", "o")}`,
         ...about(changed("password", "null", "null"))
       })}
       ${mainQuery} select to_json(x)::text, ${PgEventLog.writtenTypes} from (select ${columns("u")} from u) x`,
      { owned: true }
    ),

    rehash: statement(
      client,
      "UserStore.rehash",
      sql`${mainChange} update ${table("console_user")} set password_hash = $4::text
       where organisation_id = $1::uuid and id = $2::uuid and password_version = $3::int`
    )
  }
}

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
  static readonly layer: Layer.Layer<UserStore, never, PgClient> = Layer.effect(
    UserStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters

      return UserStore.of({
        insert: Effect.fnUntraced(function* (user, passwordHash) {
          const { createdAt, email, id, name, organisationId, role } = user
          const parameters = [organisationId, id, loginOf(email), email, name, passwordHash]
          const origin = yield* originOf(organisationId)
          const outcome = yield* sql.insert(...parameters, createdAt.epochMilliseconds, origin, role)
          if (outcome?.organisation !== true) return yield* new OrganisationNotFound({ organisationId })
          if (!outcome.owner) return yield* new LastOwner()
          if (!outcome.inserted) return yield* new EmailTaken({ email })
        }),
        findByLogin: (email) =>
          Effect.map(sql.findByLogin(loginOf(email)), (row) =>
            Option.map(Option.fromNullOr(row), ({ user, ...rest }) => ({ user: toUser(user), ...rest }))
          ),
        list: (organisationId) => Effect.map(sql.list(organisationId), (rows) => (rows ?? []).map(toUser)),
        lastLogins: (organisationId, userIds) =>
          Effect.map(sql.lastLogins(organisationId, `{${userIds.join()}}`), (at) => new Map(Object.entries(at ?? {}))),
        findOwner: (userId) => Effect.map(sql.findOwner(userId), Option.fromNullOr),
        setPassword: Effect.fnUntraced(function* (userId, passwordHash) {
          const owner = yield* sql.findOwner(userId)
          if (owner === null) return Option.none()
          const row = yield* sql.setPassword(owner, userId, passwordHash, yield* originOf(owner))
          return Option.map(Option.fromNullOr(row), toUser)
        }),
        rehash: ({ passwordVersion, user }, passwordHash) =>
          Effect.asVoid(sql.rehash(user.organisationId, user.id, passwordVersion, passwordHash))
      })
    })
  )
}
