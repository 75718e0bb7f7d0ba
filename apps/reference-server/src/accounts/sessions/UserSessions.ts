/**
 * The sessions of a user: listed and ended, by the user or by a manager; and the change of the own
 * password, which ends all others. Every method is one statement.
 */
import { mainChange, mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Clock, Context, Effect, Layer } from "effect"
import { insufficientFor, managedBy, type Role, type RoleInsufficient } from "../people/Role.ts"
import { UserNotFound } from "../people/User.ts"
import { about, changed } from "../people/UserRow.ts"
import type { Authenticated } from "../people/UserStore.ts"
import { instant, milliseconds, organisationRow, statement } from "../Statement.ts"
import type { LoginMethod } from "./SessionStore.ts"

/** Instants in milliseconds. `lastUsedAt` is exact to a minute; no use extends `expiresAt`. */
export interface ListedSession {
  readonly id: string
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
  readonly method: LoginMethod
  readonly userAgent: string | null
}

export interface OwnSession {
  readonly organisationId: OrganisationId
  readonly userId: UserId
  readonly sessionId: string
}

const statements = (client: PgClient["Service"]) => {
  return {
    list: statement<ReadonlyArray<ListedSession>>(
      client,
      "UserSessions.list",
      sql`select coalesce(json_agg(json_build_object(
         'id', s.id, 'createdAt', ${milliseconds("s.created_at")},
         'lastUsedAt', ${milliseconds("coalesce(s.used_at, s.created_at)")},
         'expiresAt', ${milliseconds("s.expires_at")},
         'method', s.method, 'userAgent', s.user_agent
       ) order by s.created_at desc, s.id), '[]')::text
       from ${table("console_session")} s join ${table("console_user")} u
         on u.organisation_id = s.organisation_id and u.id = s.user_id and u.password_version = s.password_version
       where s.organisation_id = $1::uuid and s.user_id = $2::uuid and s.ends_at > ${instant("$3")}`,
      { owned: true, repeatable: true }
    ),

    end: statement<boolean>(
      client,
      "UserSessions.end",
      sql`with ${organisationRow}, s as (
         delete from ${table("console_session")} s using organisation_row r
         where s.organisation_id = r.id and s.user_id = $2::uuid and s.id::text = lower($3::text) returning s.id
       )
       ${mainQuery} select to_json(exists (select from s))::text`,
      { owned: true }
    ),

    endOthers: statement(
      client,
      "UserSessions.endOthers",
      sql`with ${organisationRow}
       ${mainChange} delete from ${table("console_session")} s using organisation_row r
       where s.organisation_id = r.id and s.user_id = $2::uuid and s.id <> $3::uuid`,
      { owned: true }
    ),

    endManaged: statement<boolean>(
      client,
      "UserSessions.endManaged",
      sql`with ${organisationRow}, u as (
         select u.organisation_id, u.id, u.role = any ($3::text::text[]) as is_managed
         from ${table("console_user")} u join organisation_row r on r.id = u.organisation_id
         where u.id = $2::uuid
       ), ended as (
         delete from ${table("console_session")} s using u
         where s.organisation_id = u.organisation_id and s.user_id = u.id and u.is_managed
       )
       ${mainQuery} select to_json(u.is_managed)::text from u`,
      { owned: true }
    ),

    changePassword: statement<boolean>(
      client,
      "UserSessions.changePassword",
      sql`with ${organisationRow}, u as (
         update ${table("console_user")} u set password_hash = $4::text, password_version = u.password_version + 1
         from organisation_row r
         where u.organisation_id = r.id and u.id = $2::uuid and u.password_version = $3::int
         returning u.*
       ), ended as (
         delete from ${table("console_session")} s using u
         where s.organisation_id = u.organisation_id and s.user_id = u.id and s.id <> $5::uuid
         returning s.id
       ), kept as (
         update ${table("console_session")} s set password_version = u.password_version from u
         where s.organisation_id = u.organisation_id and s.user_id = u.id and s.id = $5::uuid
         returning s.id
       ), ${PgEventLog.writeEvents({
         type: "user.updated",
         from: `u cross join (select count(*) from ended) e cross join (select count(*) from kept) k
           cross join ${PgEventLog.originFrom("$6", "o")}`,
         ...about(changed("password", "null", "null"))
       })}
       ${mainQuery} select to_json(exists (select from u))::text, ${PgEventLog.writtenTypes}`,
      { owned: true }
    )
  }
}

export class UserSessions extends Context.Service<
  UserSessions,
  {
    /** Newest first, without ended ones. */
    readonly list: (own: OwnSession) => Effect.Effect<ReadonlyArray<ListedSession>, RepositoryError>

    /** False if the user has no session with this id, which is any text. */
    readonly end: (own: OwnSession, id: string) => Effect.Effect<boolean, RepositoryError>

    readonly endOthers: (own: OwnSession) => Effect.Effect<void, RepositoryError>

    /** Ends all sessions of a user that the role `by` may manage. */
    readonly endManaged: (
      organisationId: OrganisationId,
      userId: UserId,
      by: Role
    ) => Effect.Effect<void, RoleInsufficient | UserNotFound | RepositoryError>

    /**
     * Keeps only the own session. False if the password has changed since it was verified: one of
     * several concurrent changes wins.
     */
    readonly changePassword: (
      own: OwnSession,
      verified: Authenticated,
      passwordHash: string
    ) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/reference-server/UserSessions") {
  static readonly layer: Layer.Layer<UserSessions, never, PgClient> = Layer.effect(
    UserSessions,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters

      const endManaged = Effect.fnUntraced(function* (organisationId: OrganisationId, userId: UserId, by: Role) {
        const isManaged = yield* sql.endManaged(organisationId, userId, `{${managedBy(by).join()}}`)
        if (isManaged === null) return yield* new UserNotFound({ userId })
        if (!isManaged) return yield* insufficientFor(by)
      })

      const changePassword: UserSessions["Service"]["changePassword"] = Effect.fnUntraced(function* (
        { organisationId, sessionId, userId },
        { passwordVersion },
        passwordHash
      ) {
        const origin = yield* originOf(organisationId)
        return (
          (yield* sql.changePassword(organisationId, userId, passwordVersion, passwordHash, sessionId, origin)) === true
        )
      })

      return UserSessions.of({
        list: ({ organisationId, userId }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.map(sql.list(organisationId, userId, now), (rows) => rows ?? [])
          ),
        end: ({ organisationId, userId }, id) =>
          Effect.map(sql.end(organisationId, userId, id), (ended) => ended === true),
        endOthers: ({ organisationId, sessionId, userId }) =>
          Effect.asVoid(sql.endOthers(organisationId, userId, sessionId)),
        endManaged,
        changePassword
      })
    })
  )
}
