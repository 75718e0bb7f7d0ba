/**
 * The console as the HTTP application takes it: endpoints beside the API, and
 * the API once more under `/console`, where a session is asked for and no key is
 * looked at.
 *
 * @since 0.1.0
 */

import type { PgClient } from "@solar-sites/adapter-postgres"
import type { AccessChanges, ApiKeyStore, OrganisationRepository, RateLimiter } from "@solar-sites/core"
import type { HostEndpoint, HttpOptions } from "@solar-sites/http-node"
import { Effect, Layer, type Scope } from "effect"
import * as Administration from "../Administration.ts"
import { loginLimits, unlimited } from "../accounts/LoginLimits.ts"
import { PasswordHasher } from "../accounts/PasswordHasher.ts"
import { SessionStore } from "../accounts/SessionStore.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { UserStore } from "../accounts/UserStore.ts"
import type { Settings } from "../configuration/Settings.ts"
import { type Access, makeAccess } from "./Access.ts"
import { apiKeyEndpoints } from "./ApiKeyEndpoints.ts"
import { configurationEndpoint } from "./ConfigurationEndpoint.ts"
import { sessionEndpoints } from "./SessionEndpoints.ts"

const mount: NonNullable<HttpOptions["alsoAt"]> = "/console"

type ConsoleOf = Pick<Settings, "access" | "console" | "publicUrl" | "uploads">

const sessionsOf = ({ access: { rateLimitPerMinute } }: ConsoleOf) =>
  Layer.unwrap(
    Effect.map(rateLimitPerMinute === 0 ? Effect.succeed(unlimited) : loginLimits, (limits) => Sessions.layer(limits))
  ).pipe(Layer.provide(Layer.mergeAll(UserStore.layer, SessionStore.layer, PasswordHasher.layer)))

/** Under the console's path there is a session or a refusal; everywhere else it is left to the key. */
const authenticateWith =
  ({ admit }: Access): NonNullable<HttpOptions["authenticate"]> =>
  (request) =>
    request.url.startsWith(`${mount}/`) ? Effect.map(admit(request), ({ caller }) => caller) : null

type Ports = PgClient | RateLimiter | OrganisationRepository | ApiKeyStore | AccessChanges

const options = (settings: ConsoleOf) =>
  Effect.gen(function* () {
    const { rateLimitPerMinute } = settings.access
    const access = yield* makeAccess({ publicUrl: settings.publicUrl, rateLimitPerMinute })
    const endpoints: ReadonlyArray<HostEndpoint> = [
      ...(yield* sessionEndpoints(access)),
      ...(yield* apiKeyEndpoints(access)),
      configurationEndpoint(settings.console, settings.uploads)
    ]
    return { alsoAt: mount, authenticate: authenticateWith(access), endpoints }
  })

/**
 * What the HTTP application is told of the console; sessions that have ended are
 * removed for as long as the scope is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const consoleOptions = (
  settings: ConsoleOf
): Effect.Effect<Pick<HttpOptions, "alsoAt" | "authenticate" | "endpoints">, never, Ports | Scope.Scope> =>
  Effect.flatMap(Layer.build(Layer.merge(sessionsOf(settings), Administration.layer)), (services) =>
    Effect.provide(options(settings), services)
  )
