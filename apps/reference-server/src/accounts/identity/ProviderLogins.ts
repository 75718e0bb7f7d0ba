/** Logins by OpenID Connect: which users of the provider become users of which organisation. */
import { hash } from "node:crypto"
import { mainChange, mainQuery, PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import { Clock, Duration, Effect, Redacted } from "effect"
import { inBackground } from "../../background.ts"
import type { OpenIdSettings } from "../../configuration/LoginSettings.ts"
import { bytes, instant } from "../SqlValues.ts"
import { counted, type Sessions } from "../sessions/Sessions.ts"
import * as SessionToken from "../sessions/SessionToken.ts"
import { type LoginChecks, openIdConnect } from "./OpenIdConnect.ts"
import { notAllowed, ProviderLoginRefused, providerUsers } from "./ProviderUsers.ts"

const pendingLife = Duration.toMillis("10 minutes")

interface PendingLogin {
  /** Path of the console. */
  readonly returnTo: string
  /** Digest of the session that the browser had before. */
  readonly replaces: string | null
}

/**
 * Logins that have not come back, keyed by the digest of the browser's cookie. They belong to no organisation, so their
 * statements have no scope. Instants are in milliseconds.
 */
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

/** The checks follow from the secret of the cookie, so that nothing else has to be kept. */
const checksOf = (token: SessionToken.SessionToken): LoginChecks => {
  const derive = (use: string) => hash("sha256", `${use}:${Redacted.value(token)}`, "base64url")
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") }
}

const countFailure = (error: { readonly _tag: string; readonly problem?: string }) =>
  error.problem === "failed" || error.problem === "not_allowed" ? counted("failed") : Effect.void

/** Deletes expired logins in the background every 10 minutes. */
export const providerLogins = Effect.fnUntraced(function* (settings: OpenIdSettings, sessions: Sessions) {
  const provider = yield* openIdConnect(settings)
  const pending = yield* pendingLogins
  const users = yield* providerUsers(settings.defaultRole)

  const redeem = (query: string, checks: LoginChecks) =>
    Effect.catchTag(provider.redeem(query, checks), "ProviderRefused", ({ isDenied, reason }) =>
      Effect.fail(new ProviderLoginRefused({ problem: isDenied ? "denied" : "failed", reason }))
    )

  yield* Effect.flatMap(Clock.currentTimeMillis, (now) => pending.deleteExpired({ now })).pipe(
    inBackground("10 minutes", "deletion of expired logins failed")
  )

  return {
    /**
     * Succeeds with the address of the provider and the token for the cookie of this browser. `returnTo` is a path of
     * the console, `replaces` the session that the browser had before.
     */
    begin: Effect.fn("ProviderLogins.begin")(function* (
      returnTo: string,
      replaces: SessionToken.SessionToken | undefined
    ) {
      const token = yield* SessionToken.generate
      const address = yield* provider.authorizationUrl(checksOf(token))
      const login = { returnTo, replaces: replaces === undefined ? null : SessionToken.digest(replaces) }
      const expiresAt = (yield* Clock.currentTimeMillis) + pendingLife
      yield* pending.insert({ ...login, digest: SessionToken.digest(token), expiresAt })
      return { token, address }
    }),

    /**
     * Opens a session, at most once per `begin`. `token` is the cookie of the browser, `query` what the provider has
     * sent it back with.
     */
    finish: Effect.fn("ProviderLogins.finish")(function* (
      token: SessionToken.SessionToken | undefined,
      query: string,
      userAgent: string | undefined
    ) {
      const expired = (reason: string) => new ProviderLoginRefused({ problem: "expired", reason })
      if (token === undefined) return yield* expired("no cookie of a login")
      const checks = checksOf(token)
      // Before the pending login is taken, so that another site cannot end it.
      if (new URLSearchParams(query).get("state") !== checks.state) return yield* expired("state of another login")
      const taken = yield* pending.take({ digest: SessionToken.digest(token), now: yield* Clock.currentTimeMillis })
      if (taken === null) return yield* expired("no pending login")
      const known = yield* users.resolve(yield* redeem(query, checks))
      const opened = yield* Effect.catchTag(
        sessions.open(known, { method: "oidc", replaces: undefined, userAgent }),
        "LoginFailed",
        () => Effect.fail(notAllowed("the user or organisation has just changed"))
      )
      if (taken.replaces !== null) yield* sessions.end(taken.replaces)
      return { ...opened, returnTo: taken.returnTo }
    }, Effect.tapError(countFailure))
  }
})
