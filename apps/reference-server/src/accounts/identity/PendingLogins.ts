/**
 * Logins that have gone to the OpenID provider and have not come back, in the table
 * `console_oidc_login`, keyed by the digest of the browser's cookie. They belong to no organisation, so their statements
 * have no scope.
 */
import { mainChange, mainQuery, PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { RepositoryError } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { bytes, instant } from "../SqlValues.ts"

export interface PendingLogin {
  /** Path of the console. */
  readonly returnTo: string
  /** Digest of the session that the browser had before. */
  readonly replaces: string | null
}

export class PendingLogins extends Context.Service<
  PendingLogins,
  {
    /** Instants in milliseconds. */
    readonly insert: (digest: string, login: PendingLogin, expiresAt: number) => Effect.Effect<void, RepositoryError>

    /** Deletes the login, so that only one of several callers gets it. None after its expiry. */
    readonly take: (digest: string, now: number) => Effect.Effect<Option.Option<PendingLogin>, RepositoryError>

    readonly deleteExpired: (now: number) => Effect.Effect<void, RepositoryError>
  }
>()("@solar-sites/reference-server/PendingLogins") {
  static readonly layer: Layer.Layer<PendingLogins, never, PgClient> = Layer.effect(
    PendingLogins,
    Effect.map(PgClient, (client) => {
      const logins = table("console_oidc_login")
      const insert = statement<never, PendingLogin & { digest: string; expiresAt: number }>(
        client,
        "PendingLogins.insert",
        ({ digest, expiresAt, replaces, returnTo }) => sql`${mainChange}
         insert into ${logins} (digest, return_to, replaces, expires_at)
         values (${bytes(digest)}, ${returnTo}::text, ${replaces}::text, ${instant(expiresAt)})`
      )
      const take = statement<PendingLogin & { readonly isLive: boolean }, { digest: string; now: number }>(
        client,
        "PendingLogins.take",
        ({ digest, now }) => sql`with taken as (delete from ${logins} where digest = ${bytes(digest)} returning *)
         ${mainQuery} select json_build_object(
           'returnTo', return_to, 'replaces', replaces, 'isLive', expires_at > ${instant(now)}
         )::text from taken`
      )
      const deleteExpired = statement<never, { now: number }>(
        client,
        "PendingLogins.deleteExpired",
        ({ now }) => sql`${mainChange} delete from ${logins} where expires_at <= ${instant(now)}`,
        { repeatable: true }
      )
      return PendingLogins.of({
        insert: (digest, login, expiresAt) => Effect.asVoid(insert({ ...login, digest, expiresAt })),
        take: (digest, now) =>
          Effect.map(take({ digest, now }), (taken) => Option.filter(Option.fromNullOr(taken), ({ isLive }) => isLive)),
        deleteExpired: (now) => Effect.asVoid(deleteExpired({ now }))
      })
    })
  )
}
