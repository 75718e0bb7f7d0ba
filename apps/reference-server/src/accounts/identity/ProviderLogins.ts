/** Logins by OpenID Connect: which users of the provider become users of which organisation. */
import { hash } from "node:crypto"
import type { PgClient } from "@solar-sites/adapter-postgres"
import type { Records, RepositoryError } from "@solar-sites/core"
import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { inBackground } from "../../background.ts"
import type { Role } from "../people/Role.ts"
import type { UserChanges } from "../people/UserChanges.ts"
import { counted, type OpenedSession, Sessions } from "../sessions/Sessions.ts"
import * as SessionToken from "../sessions/SessionToken.ts"
import { type LoginChecks, OpenIdConnect, type ProviderUnavailable } from "./OpenIdConnect.ts"
import { PendingLogins } from "./PendingLogins.ts"
import { notAllowed, ProviderLoginRefused, providerUsers } from "./ProviderUsers.ts"

const pendingLife = Duration.toMillis("10 minutes")

/** `returnTo` is a path of the console. `replaces` is the session that the browser had before. */
export interface BeginLogin {
  readonly returnTo: string
  readonly replaces: SessionToken.SessionToken | undefined
}

/** `token` is the cookie of the browser, `query` what the provider has sent it back with. */
export interface FinishLogin {
  readonly token: SessionToken.SessionToken | undefined
  readonly query: string
  readonly userAgent: string | undefined
}

/** The checks follow from the secret of the cookie, so that nothing else has to be kept. */
const checksOf = (token: SessionToken.SessionToken): LoginChecks => {
  const derive = (use: string) => hash("sha256", `${use}:${Redacted.value(token)}`, "base64url")
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") }
}

const countFailure = (error: { readonly _tag: string; readonly problem?: string }) =>
  error.problem === "failed" || error.problem === "not_allowed" ? counted("failed") : Effect.void

export class ProviderLogins extends Context.Service<
  ProviderLogins,
  {
    /** Succeeds with the address of the provider and the token for the cookie of this browser. */
    readonly begin: (
      login: BeginLogin
    ) => Effect.Effect<
      { readonly token: SessionToken.SessionToken; readonly address: URL },
      ProviderUnavailable | RepositoryError
    >

    /** Opens a session, at most once per `begin`. */
    readonly finish: (
      login: FinishLogin
    ) => Effect.Effect<
      OpenedSession & { readonly returnTo: string },
      ProviderLoginRefused | ProviderUnavailable | RepositoryError
    >
  }
>()("@solar-sites/reference-server/ProviderLogins") {
  /** Deletes expired logins in the background every 10 minutes. `defaultRole` is that of new users. */
  static readonly layer = (
    defaultRole: Role
  ): Layer.Layer<ProviderLogins, never, OpenIdConnect | PendingLogins | PgClient | Records | UserChanges | Sessions> =>
    Layer.effect(
      ProviderLogins,
      Effect.gen(function* () {
        const provider = yield* OpenIdConnect
        const pending = yield* PendingLogins
        const users = yield* providerUsers(defaultRole)
        const sessions = yield* Sessions

        const begin = Effect.fn("ProviderLogins.begin")(function* ({ replaces, returnTo }: BeginLogin) {
          const token = yield* SessionToken.generate
          const address = yield* provider.authorizationUrl(checksOf(token))
          const login = { returnTo, replaces: replaces === undefined ? null : SessionToken.digest(replaces) }
          const now = yield* Clock.currentTimeMillis
          yield* pending.insert(SessionToken.digest(token), login, now + pendingLife)
          return { token, address }
        })

        const redeem = (query: string, checks: LoginChecks) =>
          Effect.catchTag(provider.redeem(query, checks), "ProviderRefused", ({ isDenied, reason }) =>
            Effect.fail(new ProviderLoginRefused({ problem: isDenied ? "denied" : "failed", reason }))
          )

        const finish = Effect.fn("ProviderLogins.finish")(function* ({ query, token, userAgent }: FinishLogin) {
          const expired = (reason: string) => new ProviderLoginRefused({ problem: "expired", reason })
          if (token === undefined) return yield* expired("no cookie of a login")
          const checks = checksOf(token)
          // Before the pending login is taken, so that another site cannot end it.
          if (new URLSearchParams(query).get("state") !== checks.state) return yield* expired("state of another login")
          const taken = yield* pending.take(SessionToken.digest(token), yield* Clock.currentTimeMillis)
          if (Option.isNone(taken)) return yield* expired("no pending login")
          const { replaces, returnTo } = taken.value
          const proven = yield* redeem(query, checks)
          const known = yield* users.resolve(proven)
          const opened = yield* Effect.catchTag(
            sessions.open(known, { method: "oidc", replaces: undefined, userAgent }),
            "LoginFailed",
            () => Effect.fail(notAllowed("the user or organisation has just changed"))
          )
          if (replaces !== null) yield* sessions.endByDigest(replaces)
          return { ...opened, returnTo }
        }, Effect.tapError(countFailure))

        yield* Effect.flatMap(Clock.currentTimeMillis, pending.deleteExpired).pipe(
          inBackground("10 minutes", "deletion of expired logins failed")
        )

        return ProviderLogins.of({ begin, finish })
      })
    )
}
