/**
 * Sessions in the table `console_session`, keyed by the digest of their token.
 * Every method is one statement; instants come from the server's clock. Statements lock the
 * organisation before its sessions: a trigger records ended sessions, with a foreign key to it.
 */
import { mainChange, mainQuery, PgClient, PgEventLog, sql, table } from "@solar-sites/adapter-postgres"
import {
  Caller,
  CurrentCaller,
  type OrganisationId,
  type OrganisationStatus,
  type RepositoryError,
  type UserId
} from "@solar-sites/core"
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { Role } from "../people/Role.ts"
import { about, changed } from "../people/UserRow.ts"
import type { Authenticated } from "../people/UserStore.ts"
import { bytes, instant, milliseconds, statement } from "../Statement.ts"

/** How the user was authenticated. */
export type LoginMethod = "password" | "oidc" | "link"

/**
 * A live session. The role is the current one. `expiresAt` (milliseconds) is the end that no use
 * extends.
 */
export interface StoredSession {
  /** Names the session in lists; not the token. */
  readonly id: string
  readonly user: { readonly id: UserId; readonly email: string; readonly name: string; readonly role: Role }
  readonly organisation: { readonly id: OrganisationId; readonly name: string; readonly status: OrganisationStatus }
  /**
   * True if the organisation demands a second factor and the user has none. Never of a session by
   * OpenID Connect: there the provider is responsible.
   */
  readonly mustSetUpSecondFactor: boolean
  readonly expiresAt: number
}

/**
 * Why and when a session has ended. `password`: by a change of the password or of the second factor.
 * `ended`: by the user on another device, or by a manager. `at` in milliseconds.
 */
export interface SessionEnd {
  readonly reason: "expired" | "idle" | "password" | "removed" | "ended"
  readonly at: number
}

/** Instants in milliseconds. */
export interface NewSession {
  /** Shown in lists of sessions; the digest is not. */
  readonly id: string
  readonly digest: string
  /** Digest of the session that this one replaces, of any user. */
  readonly replaces: string | null
  readonly method: LoginMethod
  readonly userAgent: string | null
  readonly now: number
  readonly expiresAt: number
  readonly endsAt: number
}

/**
 * Of a user. A further one ends the session that would end first. Concurrent logins can exceed it
 * by their number.
 */
const maximumSessions = 100

/** A browser seldom keeps a cookie without expiry for longer. */
const rememberedEnds = Duration.toMillis("7 days")

const session = () => sql`json_build_object(
  'id', s.id,
  'user', json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'role', u.role),
  'organisation', json_build_object('id', o.id, 'name', o.name, 'status', o.status),
  'mustSetUpSecondFactor', s.method <> 'oidc' and exists (
    select from ${table("console_organisation")} g
    where g.organisation_id = s.organisation_id and g.require_second_factor
  ) and not exists (
    select from ${table("console_second_factor")} f
    where f.organisation_id = s.organisation_id and f.user_id = s.user_id and f.enabled_at is not null
  ),
  'expiresAt', ${milliseconds("s.expires_at")}
)::text`

const statements = (client: PgClient["Service"]) => {
  const activeOwner = sql`join ${table("console_user")} u
      on u.organisation_id = s.organisation_id and u.id = s.user_id and u.password_version = s.password_version
    join ${table("organisation")} o on o.id = s.organisation_id and o.status = 'active'`
  return {
    // `for share`: a concurrent deactivation waits for this session and then deletes it. The users of
    // both sessions are locked before the sequence of events, as their deletion does; `count(*) >= 0`
    // orders the locks.
    insert: statement<StoredSession>(
      client,
      "SessionStore.insert",
      sql`with o as materialized (
         select id, name, status from ${table("organisation")} where id = $1::uuid and status = 'active' for share
       ), u as materialized (
         select u.* from ${table("console_user")} u join o on o.id = u.organisation_id
         where u.id = $2::uuid and u.password_version = $3::int for key share of u
       ), previous as materialized (
         select s.digest from ${table("console_session")} s
         join ${table("console_user")} p on p.organisation_id = s.organisation_id and p.id = s.user_id
         where s.digest = ${bytes("$5")} and (select count(*) from u) >= 0 for key share of p
       ), replaced as (
         delete from ${table("console_session")} s using previous p where s.digest = p.digest returning s.digest
       ), s as (
         insert into ${table("console_session")}
           (organisation_id, user_id, digest, password_version, created_at, expires_at, ends_at, id, method, user_agent)
         select u.organisation_id, u.id, ${bytes("$4")}, u.password_version,
           ${instant("$6")}, ${instant("$7")}, ${instant("$8")}, $9::uuid, $10::text, $11::text
         from o cross join u
         returning *
       ), surplus as materialized (
         select s.digest from ${table("console_session")} s join u on u.organisation_id = s.organisation_id
         where s.user_id = u.id and s.digest in (
           select x.digest from ${table("console_session")} x
           where x.organisation_id = $1::uuid and x.user_id = $2::uuid
           order by x.ends_at desc, x.digest offset ${maximumSessions - 1}
         ) and not exists (select from replaced r where r.digest = s.digest)
         for update of s skip locked
       ), ended as (
         delete from ${table("console_session")} s using surplus x where s.digest = x.digest returning s.digest
       ), opened as (
         select u.id, u.name, s.method, ${session()} as answer
         from s cross join o cross join u
       ), ${PgEventLog.writeEvents({
         type: "user.logged_in",
         from: `opened u cross join (select count(*) from replaced) r cross join (select count(*) from ended) e
           cross join ${PgEventLog.originFrom("$12", "o")}`,
         ...about(changed("method", "null", "u.method"))
       })}
       ${mainQuery} select answer, ${PgEventLog.writtenTypes} from opened`,
      { owned: true }
    ),

    find: statement<StoredSession>(
      client,
      "SessionStore.find",
      sql`with s as materialized (
         select s.*, least(s.expires_at, ${instant("$3")}) as next_end from ${table("console_session")} s
         where s.digest = ${bytes("$1")} and s.ends_at > ${instant("$2")}
       ), live as materialized (
         select s.*, ${session()} as answer from s ${activeOwner}
       ), slid as (
         update ${table("console_session")} t set ends_at = live.next_end, used_at = ${instant("$2")} from live
         where t.organisation_id = live.organisation_id and t.user_id = live.user_id and t.digest = live.digest
           and live.next_end >= live.ends_at + interval '1 minute'
       )
       ${mainQuery} select answer from live`,
      { repeatable: true }
    ),

    delete: statement<boolean>(
      client,
      "SessionStore.delete",
      sql`with o as materialized (
         select id from ${table("organisation")}
         where id = (select organisation_id from ${table("console_session")} where digest = ${bytes("$1")}) for key share
       ), s as (
         delete from ${table("console_session")} s using o where s.organisation_id = o.id and s.digest = ${bytes("$1")}
         returning s.digest
       )
       ${mainQuery} select to_json(exists (select from s))::text`,
      { repeatable: true }
    ),

    findEnd: statement<SessionEnd>(
      client,
      "SessionStore.findEnd",
      sql`select json_build_object('reason', e.reason, 'at', ${milliseconds("e.ended_at")})::text from (
         select reason, ended_at from ${table("console_ended_session")} where digest = ${bytes("$1")}
         union all
         select case when ends_at >= expires_at then 'expired' else 'idle' end, ends_at
         from ${table("console_session")} where digest = ${bytes("$1")} and ends_at <= ${instant("$2")}
       ) e limit 1`,
      { repeatable: true }
    ),

    deleteEnded: statement(
      client,
      "SessionStore.deleteEnded",
      sql`with purged as (
         delete from ${table("console_ended_session")} where ended_at <= ${instant("$2")}
       ), o as materialized (
         select id from ${table("organisation")}
         where id in (select organisation_id from ${table("console_session")} where ends_at <= ${instant("$1")})
         order by id for key share
       )
       ${mainChange} delete from ${table("console_session")} s using o
       where s.organisation_id = o.id and s.ends_at <= ${instant("$1")}`,
      { repeatable: true }
    )
  }
}

/** Has no cache: a session that has ended is invalid on every server from the next request on. */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /**
     * Also writes the event of the login. None when the password, the second factor or the
     * organisation's status has changed since the credentials were read.
     */
    readonly insert: (
      authenticated: Authenticated,
      session: NewSession
    ) => Effect.Effect<Option.Option<StoredSession>, RepositoryError>

    /** Moves the end to `endsAt`, at most to `expiresAt` and at most once a minute. */
    readonly find: (
      digest: string,
      at: { readonly now: number; readonly endsAt: number }
    ) => Effect.Effect<Option.Option<StoredSession>, RepositoryError>

    /** False if there is none. */
    readonly delete: (digest: string) => Effect.Effect<boolean, RepositoryError>

    /** None of a live or unknown session, and after seven days. */
    readonly findEnd: (digest: string, now: number) => Effect.Effect<Option.Option<SessionEnd>, RepositoryError>

    /** Also purges the reasons of old ends. */
    readonly deleteEnded: (now: number) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/SessionStore") {
  static readonly layer: Layer.Layer<SessionStore, never, PgClient> = Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      return SessionStore.of({
        insert: Effect.fnUntraced(function* ({ passwordVersion, user }, session) {
          const { digest, endsAt, expiresAt, id, method, now, replaces, userAgent } = session
          const { id: userId, organisationId } = user
          const caller = new Caller({ organisationId, userId, apiKeyId: null })
          const origin = yield* Effect.provideService(originOf(organisationId), CurrentCaller, caller)
          const values = [digest, replaces, now, expiresAt, endsAt, id, method, userAgent, origin]
          return Option.fromNullOr(yield* sql.insert(organisationId, userId, passwordVersion, ...values))
        }),
        find: (digest, { endsAt, now }) => Effect.map(sql.find(digest, now, endsAt), Option.fromNullOr),
        delete: (digest) => Effect.map(sql.delete(digest), (deleted) => deleted === true),
        findEnd: (digest, now) => Effect.map(sql.findEnd(digest, now), Option.fromNullOr),
        deleteEnded: (now) => Effect.asVoid(sql.deleteEnded(now, now - rememberedEnds))
      })
    })
  )
}
