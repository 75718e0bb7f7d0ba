/**
 * HTTP options of the console: its endpoints, and the API under `/console` with
 * sessions in place of keys.
 */
import type { PgClient, PgPorts } from "@solar-sites/adapter-postgres"
import {
  type AccessChanges,
  Coverage,
  CoverImages,
  type DocumentStorage,
  type RateLimiter,
  ReachedPorts,
  SiteFinder
} from "@solar-sites/core"
import type { HostEndpoint, HttpOptions } from "@solar-sites/http-node"
import { Effect, Layer, Option, type Scope } from "effect"
import * as Administration from "../Administration.ts"
import { openIdEndpoints } from "../accounts/identity/OpenIdEndpoints.ts"
import { invitationEndpoints } from "../accounts/invitations/InvitationEndpoints.ts"
import { linkEndpoints } from "../accounts/login/LinkEndpoints.ts"
import { LoginLimits } from "../accounts/login/LoginLimits.ts"
import { PasswordHasher } from "../accounts/login/PasswordHasher.ts"
import { organisationEndpoints } from "../accounts/organisation/OrganisationEndpoints.ts"
import { accountEndpoints } from "../accounts/people/AccountEndpoints.ts"
import { userEndpoints } from "../accounts/people/UserEndpoints.ts"
import { secondFactorEndpoints } from "../accounts/second-factor/SecondFactorEndpoints.ts"
import { SecondFactors } from "../accounts/second-factor/SecondFactors.ts"
import { sessionEndpoints, userSessionEndpoints } from "../accounts/sessions/SessionEndpoints.ts"
import { makeSessions } from "../accounts/sessions/Sessions.ts"
import type { Settings } from "../configuration/Settings.ts"
import { layerWorker, reports } from "../digest/DigestWorker.ts"
import { unsubscribeEndpoints } from "../digest/UnsubscribeEndpoints.ts"
import * as ImportServices from "../import/ImportServices.ts"
import { Mailer } from "../mail/Mailer.ts"
import { MailLimits } from "../mail/MailLimits.ts"
import { mailLanguages } from "../mail/texts/languages.ts"
import { type Access, makeAccess } from "./Access.ts"
import { apiKeyEndpoints } from "./ApiKeyEndpoints.ts"
import { configurationEndpoints } from "./ConfigurationEndpoint.ts"
import { coverageEndpoints } from "./CoverageEndpoint.ts"
import { foundSitesEndpoints } from "./FoundSitesEndpoints.ts"
import { importEndpoints } from "./imports/ImportEndpoints.ts"
import { languageOf, RequestLanguage } from "./Language.ts"
import { pageEndpoints } from "./pages/Pages.ts"

const mount: NonNullable<HttpOptions["secondPrefix"]> = "/console"

type ConsoleOf = Pick<Settings, "access" | "console" | "digest" | "login" | "mail" | "publicUrl" | "uploads">

const loginsOf = ({ access: { rateLimitPerMinute } }: ConsoleOf) =>
  SecondFactors.layer.pipe(
    Layer.provideMerge(rateLimitPerMinute === 0 ? LoginLimits.layerUnlimited : LoginLimits.layer),
    Layer.provideMerge(PasswordHasher.layer)
  )

/** Without rate limits, mails have none either. */
const mails = ({ access: { rateLimitPerMinute }, mail }: ConsoleOf, address: Effect.Effect<string>) =>
  Layer.merge(
    Mailer.layer({ settings: mail, address }),
    rateLimitPerMinute === 0 ? MailLimits.layerUnlimited : MailLimits.layer
  )

/** Requires a session below the console's path; elsewhere the key authenticates. */
const authenticateWith =
  ({ admit }: Access): NonNullable<HttpOptions["authenticate"]> =>
  (request) =>
    request.url.startsWith(`${mount}/`)
      ? Effect.map(admit({ request, limitFailures: request.limitFailures }), ({ caller }) => caller)
      : null

/** Mails that a request causes are in its language. */
const inItsLanguage = (endpoint: HostEndpoint, otherwise: string): HostEndpoint => ({
  ...endpoint,
  serve: (incoming) =>
    Effect.provideService(
      endpoint.serve(incoming),
      RequestLanguage,
      languageOf(incoming.request.headers, mailLanguages, otherwise)
    )
})

/** Sends digests where mail is configured. */
const digests = ({ console: { language }, digest, login, mail }: ConsoleOf, address: Effect.Effect<string>) =>
  Option.match(mail, {
    onNone: () => Layer.empty,
    onSome: (mail) => layerWorker({ schedule: digest, login, language, mail, address }).pipe(Layer.provide(reports))
  })

type Ports = PgClient | PgPorts | DocumentStorage | RateLimiter | AccessChanges

const options = (settings: ConsoleOf) =>
  Effect.gen(function* () {
    const { rateLimitPerMinute } = settings.access
    const access = yield* makeAccess({
      sessions: yield* makeSessions,
      publicUrl: settings.publicUrl,
      rateLimitPerMinute,
      passwords: settings.login.passwords
    })
    const pages = yield* pageEndpoints(settings.console)
    const endpoints: ReadonlyArray<HostEndpoint> = [
      ...(yield* sessionEndpoints(access)),
      ...(yield* openIdEndpoints(settings, access)),
      ...(yield* apiKeyEndpoints(access)),
      ...(yield* userEndpoints(access)),
      ...(yield* secondFactorEndpoints(access)),
      ...(yield* organisationEndpoints(access)),
      ...(yield* userSessionEndpoints(access)),
      ...(yield* accountEndpoints(access)),
      ...(yield* invitationEndpoints(access)),
      ...(yield* linkEndpoints(access)),
      ...(yield* importEndpoints(access)),
      ...(yield* unsubscribeEndpoints),
      ...(yield* coverageEndpoints(access)),
      ...(yield* foundSitesEndpoints(access)),
      ...configurationEndpoints(access, settings),
      ...pages.endpoints
    ]
    return {
      secondPrefix: mount,
      authenticate: authenticateWith(access),
      endpoints: endpoints.map((endpoint) => inItsLanguage(endpoint, settings.console.language)),
      notFound: pages.notFound
    }
  })

const hasPath = (address: string): boolean => new URL(address).pathname !== "/"

/**
 * False if it is switched off, or if `PUBLIC_URL` has a path: pages and cookie do
 * not support a path prefix.
 */
export const hasConsole = ({ console, publicUrl }: Pick<Settings, "console" | "publicUrl">): boolean =>
  console.isOn && !Option.exists(publicUrl, hasPath)

/**
 * Options of the HTTP application; empty without a console. Sessions and links are swept, and mails
 * and digests sent, until the scope closes. `address` is that of the console, for links in mails.
 */
export const consoleOptions = (
  settings: ConsoleOf,
  address: Effect.Effect<string>
): Effect.Effect<
  Pick<HttpOptions, "secondPrefix" | "authenticate" | "endpoints" | "notFound">,
  never,
  Ports | Scope.Scope
> => {
  if (!settings.console.isOn) return Effect.succeed({})
  if (!hasConsole(settings)) {
    return Effect.as(Effect.logWarning("console disabled because PUBLIC_URL has a path"), {})
  }
  return Effect.flatMap(
    Layer.build(
      Layer.mergeAll(
        loginsOf(settings),
        Administration.layer,
        Layer.provide(Coverage.layer, ReachedPorts.layer),
        Layer.provide(SiteFinder.layer, Layer.merge(ReachedPorts.layer, CoverImages.layer)),
        digests(settings, address),
        ImportServices.layer,
        mails(settings, address)
      )
    ),
    (services) => Effect.provide(options(settings), services)
  )
}
