/**
 * Sessions, keyed by the digest of their token. Look-ups are statements, and changes follow from rules. Instants come
 * from the server's clock.
 */
import { mainChange, PgClient, sql, table } from "@solar-sites/adapter-postgres"
import { Caller, CurrentCaller, type OrganisationId, type Records, type RepositoryError } from "@solar-sites/core"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import { userKind } from "../people/UserKind.ts"
import type { Authenticated } from "../people/UserLookUps.ts"
import { bytes, instant, lookUp, milliseconds, statement } from "../Statement.ts"
import { type LoginMethod, sessionKind } from "./SessionKind.ts"
import { endSession, findsOfEnd, findsOfOpening, openSession, type StoredSession } from "./SessionRules.ts"

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

/** A browser seldom keeps a cookie without expiry for longer. */
const rememberedEnds = Duration.toMillis("7 days")

/** A session with whether its use moves its end by a minute or more. */
interface FoundSession {
  readonly session: StoredSession
  readonly isUsed: boolean
}

const statements = (client: PgClient["Service"]) => ({
  find: lookUp<FoundSession>(
    client,
    "SessionStore.find",
    sql`select json_build_object(
       'session', json_build_object(
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
       ),
       'isUsed', least(s.expires_at, ${instant("$3")}) >= s.ends_at + interval '1 minute'
     )::text
     from ${table("console_session")} s
     join ${table("console_user")} u
       on u.organisation_id = s.organisation_id and u.id = s.user_id and u.password_version = s.password_version
     join ${table("organisation")} o on o.id = s.organisation_id and o.status = 'active'
     where s.digest = ${bytes("$1")} and s.ends_at > ${instant("$2")}`
  ),

  use: statement(
    client,
    "SessionStore.use",
    sql`${mainChange} update ${table("console_session")} s
     set ends_at = greatest(s.ends_at, least(s.expires_at, ${instant("$4")})), used_at = ${instant("$3")}
     where s.organisation_id = $1::uuid and s.id = $2::uuid`,
    { owned: true, repeatable: true }
  ),

  findOwner: lookUp<OrganisationId>(
    client,
    "SessionStore.findOwner",
    sql`select to_json(s.organisation_id)::text from ${table("console_session")} s where s.digest = ${bytes("$1")}`
  ),

  findEnd: lookUp<SessionEnd>(
    client,
    "SessionStore.findEnd",
    sql`select json_build_object('reason', e.reason, 'at', ${milliseconds("e.ended_at")})::text from (
       select reason, ended_at from ${table("console_ended_session")} where digest = ${bytes("$1")}
       union all
       select case when ends_at >= expires_at then 'expired' else 'idle' end, ends_at
       from ${table("console_session")} where digest = ${bytes("$1")} and ends_at <= ${instant("$2")}
     ) e limit 1`
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
})

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
  static readonly layer: Layer.Layer<SessionStore, never, PgClient | Records> = Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const { decide } = yield* makeCommands

      const remove = Effect.fnUntraced(function* (digest: string) {
        const organisationId = yield* sql.findOwner(digest)
        if (organisationId === null) return false
        return yield* decide({
          operation: "SessionStore.delete",
          organisationId,
          of: { kind: sessionKind, id: digest },
          finds: findsOfEnd(digest),
          rule: endSession(digest)
        })
      })

      const insert: SessionStore["Service"]["insert"] = Effect.fnUntraced(function* (
        { passwordVersion, user: { id: userId, organisationId } },
        { digest, endsAt, expiresAt, id, method, now, replaces, userAgent }
      ) {
        const session = {
          ...{ id, organisationId, userId, digest, passwordVersion, method, userAgent },
          createdAt: DateTime.makeUnsafe(now),
          expiresAt: DateTime.makeUnsafe(expiresAt),
          endsAt: DateTime.makeUnsafe(endsAt)
        }
        const opening = { session, replaces }
        const opened = yield* decide({
          operation: "SessionStore.insert",
          organisationId,
          of: { kind: userKind, id: userId },
          finds: findsOfOpening(opening),
          rule: openSession(opening)
        }).pipe(Effect.provideService(CurrentCaller, new Caller({ organisationId, userId, apiKeyId: null })))
        // A session of another organisation, which the rule does not see, ends in a commit of its own.
        if (opened !== null && replaces !== null) yield* remove(replaces)
        return Option.fromNullOr(opened)
      })

      const find: SessionStore["Service"]["find"] = Effect.fnUntraced(function* (digest, { endsAt, now }) {
        const found = yield* sql.find(digest, now, endsAt)
        if (found === null) return Option.none()
        const { isUsed, session } = found
        if (isUsed) yield* sql.use(session.organisation.id, session.id, now, endsAt)
        return Option.some(session)
      })

      return SessionStore.of({
        insert,
        find,
        delete: remove,
        findEnd: (digest, now) => Effect.map(sql.findEnd(digest, now), Option.fromNullOr),
        deleteEnded: (now) => Effect.asVoid(sql.deleteEnded(now, now - rememberedEnds))
      })
    })
  )
}
