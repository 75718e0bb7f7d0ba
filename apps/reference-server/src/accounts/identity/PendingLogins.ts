/**
 * Logins that have gone to the OpenID provider and have not come back, in the table
 * `console_oidc_login`, keyed by the digest of the browser's cookie. They belong to no organisation, so their statements
 * have no scope. Instants are in milliseconds.
 */
import { mainChange, mainQuery, PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import { Effect } from "effect"
import { bytes, instant } from "../SqlValues.ts"

export interface PendingLogin {
  /** Path of the console. */
  readonly returnTo: string
  /** Digest of the session that the browser had before. */
  readonly replaces: string | null
}

export const pendingLogins = Effect.map(PgClient, (client) => {
  const logins = table("console_oidc_login")
  return {
    insert: statement<never, PendingLogin & { digest: string; expiresAt: number }>(
      client,
      "PendingLogins.insert",
      ({ digest, expiresAt, replaces, returnTo }) => sql`${mainChange}
       insert into ${logins} (digest, return_to, replaces, expires_at)
       values (${bytes(digest)}, ${returnTo}::text, ${replaces}::text, ${instant(expiresAt)})`
    ),

    /** Deletes the login, so that only one of several callers gets it. Null after its expiry. */
    take: statement<PendingLogin, { digest: string; now: number }>(
      client,
      "PendingLogins.take",
      ({ digest, now }) => sql`with taken as (delete from ${logins} where digest = ${bytes(digest)} returning *)
       ${mainQuery} select json_build_object('returnTo', return_to, 'replaces', replaces)::text from taken
       where expires_at > ${instant(now)}`
    ),

    deleteExpired: statement<never, { now: number }>(
      client,
      "PendingLogins.deleteExpired",
      ({ now }) => sql`${mainChange} delete from ${logins} where expires_at <= ${instant(now)}`,
      { repeatable: true }
    )
  }
})
