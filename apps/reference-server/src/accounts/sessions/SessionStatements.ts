/** Statements on sessions: look-ups by the digest of their token, in all organisations, their use and their purge. */
import { mainChange, type PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError } from "@solar-sites/core"
import { Duration, type Effect } from "effect"
import { bytes, inEach, instant, lookUp, milliseconds, statement } from "../Statement.ts"
import type { EndReason } from "./SessionKind.ts"
import type { StoredSession } from "./SessionRules.ts"

/** Why and when a session has ended. `at` in milliseconds. */
export interface SessionEnd {
  readonly reason: EndReason
  readonly at: number
}

/** A browser seldom keeps a cookie without expiry for longer. */
const rememberedEnds = Duration.toMillis("7 days")

/** A session with whether its use moves its end by a minute or more. */
interface FoundSession {
  readonly session: StoredSession
  readonly isUsed: boolean
}

export const sessionStatements = (client: PgClient["Service"]) => ({
  /** Parameters: digest, now, the end that a use would set. */
  find: lookUp<FoundSession>(
    client,
    "SessionStatements.find",
    sql`select json_build_object(
       'session', json_build_object(
         'id', s.id,
         'user', json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'role', u.role,
           'portfolioIds', u.portfolio_ids),
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

  /** Parameters: organisation, session, now, the end; at most that which no use extends. */
  use: statement(
    client,
    "SessionStatements.use",
    sql`${mainChange} update ${table("console_session")} s
     set ends_at = greatest(s.ends_at, least(s.expires_at, ${instant("$4")})), used_at = ${instant("$3")}
     where s.organisation_id = $1::uuid and s.id = $2::uuid`,
    { owned: true, repeatable: true }
  ),

  /** Parameters: organisation, user, language. The digest is in it. */
  useLanguage: statement(
    client,
    "SessionStatements.useLanguage",
    sql`${mainChange} update ${table("console_user")} u set language = $3::text
     where u.organisation_id = $1::uuid and u.id = $2::uuid and u.language is distinct from $3::text`,
    { owned: true, repeatable: true }
  ),

  findOwner: lookUp<OrganisationId>(
    client,
    "SessionStatements.findOwner",
    sql`select to_json(s.organisation_id)::text from ${table("console_session")} s where s.digest = ${bytes("$1")}`
  ),

  /** None of a live or unknown session. */
  findEnd: lookUp<SessionEnd>(
    client,
    "SessionStatements.findEnd",
    sql`select json_build_object('reason', e.reason, 'at', ${milliseconds("e.ended_at")})::text from (
       select reason, ended_at from ${table("console_ended_session")} where digest = ${bytes("$1")}
       union all
       select case when ends_at >= expires_at then 'expired' else 'idle' end, ends_at
       from ${table("console_session")} where digest = ${bytes("$1")} and ends_at <= ${instant("$2")}
     ) e limit 1`
  )
})

/** Deletes sessions that have ended at an instant in milliseconds, and the reasons of old ends. */
export const deleteEndedSessions = (client: PgClient["Service"]) => {
  const owners = lookUp<ReadonlyArray<OrganisationId>>(
    client,
    "SessionStatements.findEnded",
    sql`select json_agg(x.organisation_id)::text from (
       select organisation_id from ${table("console_session")} where ends_at <= ${instant("$1")}
       union
       select organisation_id from ${table("console_ended_session")} where ended_at <= ${instant("$2")}
     ) x`
  )
  const remove = statement(
    client,
    "SessionStatements.deleteEnded",
    sql`with purged as (
       delete from ${table("console_ended_session")} where organisation_id = $1::uuid and ended_at <= ${instant("$3")}
     ), o as materialized (
       select id from ${table("organisation")} where id = $1::uuid for key share
     )
     ${mainChange} delete from ${table("console_session")} s using o
     where s.organisation_id = o.id and s.ends_at <= ${instant("$2")}`,
    { owned: true, repeatable: true }
  )
  return (now: number): Effect.Effect<void, RepositoryError> => {
    const forgotten = now - rememberedEnds
    return inEach(owners(now, forgotten), (organisationId) => remove(organisationId, now, forgotten))
  }
}
