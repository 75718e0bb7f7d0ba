/** Statements on sessions: look-ups by the digest of their token, in all organisations, their use and their purge. */
import { mainChange, type PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Duration, type Effect } from "effect"
import { bytes, inEach, instant, milliseconds } from "../SqlValues.ts"
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
  /** `endsAt`: the end that a use would set. */
  find: statement<FoundSession, { digest: string; now: number; endsAt: number }>(
    client,
    "SessionStatements.find",
    ({ digest, endsAt, now }) => sql`select json_build_object(
       'session', json_build_object(
         'id', s.id,
         'user', json_build_object('id', u.id, 'organisationId', u.organisation_id, 'email', u.email, 'name', u.name,
           'role', u.role, 'portfolioIds', u.portfolio_ids),
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
       'isUsed', least(s.expires_at, ${instant(endsAt)}) >= s.ends_at + interval '1 minute'
     )::text
     from ${table("console_session")} s
     join ${table("console_user")} u
       on u.organisation_id = s.organisation_id and u.id = s.user_id and u.password_version = s.password_version
     join ${table("organisation")} o on o.id = s.organisation_id and o.status = 'active'
     where s.digest = ${bytes(digest)} and s.ends_at > ${instant(now)}`,
    { across: true }
  ),

  /** `endsAt` is at most the end that no use extends. */
  use: statement<never, { organisationId: OrganisationId; sessionId: string; now: number; endsAt: number }>(
    client,
    "SessionStatements.use",
    ({ endsAt, now, organisationId, sessionId }) => sql`${mainChange} update ${table("console_session")} s
     set ends_at = greatest(s.ends_at, least(s.expires_at, ${instant(endsAt)})), used_at = ${instant(now)}
     where s.organisation_id = ${organisationId}::uuid and s.id = ${sessionId}::uuid`,
    { repeatable: true }
  ),

  /** The digest is in this language. */
  useLanguage: statement<never, { organisationId: OrganisationId; userId: UserId; language: string }>(
    client,
    "SessionStatements.useLanguage",
    ({ language, organisationId, userId }) => sql`${mainChange}
     update ${table("console_user")} u set language = ${language}::text
     where u.organisation_id = ${organisationId}::uuid and u.id = ${userId}::uuid
       and u.language is distinct from ${language}::text`,
    { repeatable: true }
  ),

  findOwner: statement<OrganisationId, { digest: string }>(
    client,
    "SessionStatements.findOwner",
    ({ digest }) => sql`select to_json(s.organisation_id)::text from ${table("console_session")} s
     where s.digest = ${bytes(digest)}`,
    { across: true }
  ),

  /** None of a live or unknown session. */
  findEnd: statement<SessionEnd, { digest: string; now: number }>(
    client,
    "SessionStatements.findEnd",
    ({ digest, now }) => sql`
     select json_build_object('reason', e.reason, 'at', ${milliseconds("e.ended_at")})::text from (
       select reason, ended_at from ${table("console_ended_session")} where digest = ${bytes(digest)}
       union all
       select case when ends_at >= expires_at then 'expired' else 'idle' end, ends_at
       from ${table("console_session")} where digest = ${bytes(digest)} and ends_at <= ${instant(now)}
     ) e limit 1`,
    { across: true }
  )
})

/** Instants in milliseconds. The reasons of ends up to `forgotten` are deleted. */
interface Purge {
  readonly now: number
  readonly forgotten: number
}

/** Deletes sessions that have ended at an instant in milliseconds, and the reasons of old ends. */
export const deleteEndedSessions = (client: PgClient["Service"]) => {
  const owners = statement<ReadonlyArray<OrganisationId>, Purge>(
    client,
    "SessionStatements.findEnded",
    ({ forgotten, now }) => sql`select json_agg(x.organisation_id)::text from (
       select organisation_id from ${table("console_session")} where ends_at <= ${instant(now)}
       union
       select organisation_id from ${table("console_ended_session")} where ended_at <= ${instant(forgotten)}
     ) x`,
    { across: true }
  )
  const remove = statement<never, Purge & { readonly organisationId: OrganisationId }>(
    client,
    "SessionStatements.deleteEnded",
    ({ forgotten, now, organisationId }) => sql`with purged as (
       delete from ${table("console_ended_session")}
       where organisation_id = ${organisationId}::uuid and ended_at <= ${instant(forgotten)}
     ), o as materialized (
       select id from ${table("organisation")} where id = ${organisationId}::uuid for key share
     )
     ${mainChange} delete from ${table("console_session")} s using o
     where s.organisation_id = o.id and s.ends_at <= ${instant(now)}`,
    { repeatable: true }
  )
  return (now: number): Effect.Effect<void, RepositoryError> => {
    const purge = { now, forgotten: now - rememberedEnds }
    return inEach(owners(purge), (organisationId) => remove({ ...purge, organisationId }))
  }
}
