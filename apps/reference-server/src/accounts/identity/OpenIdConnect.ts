/**
 * Client of the OpenID provider: authorization code flow with PKCE. The library validates state,
 * issuer, audience, nonce, times and signature; unsigned tokens and symmetric signatures are
 * refused.
 */
import { Data, Duration, Effect, Exit, Option, Redacted } from "effect"
import type * as Library from "openid-client"
import type { OpenIdSettings } from "../../configuration/LoginSettings.ts"
import { type Claims, isComplete, type ProvenUser, provenUser } from "./OpenIdClaims.ts"

const longestExchange = Duration.seconds(10)
const clockTolerance = Duration.seconds(60)
const configurationLife = Duration.hours(1)

/** Values that bind the response of the provider to its request. */
export interface LoginChecks {
  readonly state: string
  readonly nonce: string
  /** Code verifier of PKCE, 43 to 128 characters. */
  readonly verifier: string
}

/** No usable answer of the provider within 10 s. `reason` holds no code or token. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly reason: string }> {}

/** The user or the provider has denied, or the response is invalid. `reason` holds no code or token. */
class ProviderRefused extends Data.TaggedError("ProviderRefused")<{
  readonly isDenied: boolean
  readonly reason: string
}> {}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const textIn = (value: unknown, name: string): string | undefined => {
  const text = member(value, name)
  return typeof text === "string" ? text : undefined
}

/** Message and code of an error, the name of a wrong claim, and the error code of OAuth. */
const reasonOf = (error: unknown): string => {
  const cause = member(error, "cause")
  const parts = [
    textIn(error, "message"),
    // The library has fixed messages; other causes are parts of a response.
    cause instanceof Error ? cause.message : undefined,
    textIn(error, "code") ?? textIn(cause, "code"),
    textIn(member(cause, "cause"), "claim"),
    textIn(error, "error")?.replaceAll(/[^a-z_]/g, "?")
  ]
  return parts
    .filter((part) => part !== undefined)
    .join("; ")
    .slice(0, 300)
}

const isUnavailable = (error: unknown): boolean =>
  textIn(error, "code") === "OAUTH_TIMEOUT" ||
  Number(member(member(error, "cause"), "status")) >= 500 ||
  textIn(error, "message") === "fetch failed"

const toError = (error: unknown): ProviderUnavailable | ProviderRefused =>
  isUnavailable(error)
    ? new ProviderUnavailable({ reason: reasonOf(error) })
    : new ProviderRefused({ isDenied: textIn(error, "error") === "access_denied", reason: reasonOf(error) })

const inTime = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | ProviderUnavailable> =>
  Effect.timeoutOrElse(effect, {
    duration: longestExchange,
    orElse: () => Effect.fail(new ProviderUnavailable({ reason: "no answer in time" }))
  })

/** Authenticates the client as the provider accepts it; without a list the standard says Basic. */
const authenticationOf = (client: typeof Library, secret: string): Library.ClientAuth => {
  const basic = client.ClientSecretBasic(secret)
  const post = client.ClientSecretPost(secret)
  return (provider, ...rest) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    return methods.includes("client_secret_basic") ? basic(provider, ...rest) : post(provider, ...rest)
  }
}

const discover = async (client: typeof Library, { clientId, clientSecret, issuer }: OpenIdSettings) => {
  const server = new URL(issuer)
  const metadata = { [client.clockTolerance]: Duration.toSeconds(clockTolerance) }
  const authentication = Option.match(clientSecret, {
    onNone: client.None,
    onSome: (secret) => authenticationOf(client, Redacted.value(secret))
  })
  // The settings allow http on this machine only.
  const insecure = server.protocol === "http:" ? [client.allowInsecureRequests] : []
  const found = await client.discovery(server, clientId, metadata, authentication, {
    timeout: Duration.toSeconds(longestExchange),
    execute: [client.enableNonRepudiationChecks, ...insecure]
  })
  // The library lets some providers name another issuer, such as one for all tenants.
  if (new URL(found.serverMetadata().issuer).href !== server.href) throw new Error("the provider names another issuer")
  return found
}

/** Reads the provider's configuration on the first use and once an hour; not while it is made. */
export const openIdConnect = Effect.fnUntraced(function* (settings: OpenIdSettings) {
  // Loaded for servers with a provider, before the first login: Node 20 keeps a failed import.
  const client = yield* Effect.promise(() => import("openid-client"))
  const discovered = yield* Effect.tryPromise({
    try: () => discover(client, settings),
    catch: (error) => new ProviderUnavailable({ reason: reasonOf(error) })
  }).pipe(Effect.cachedWithTTL((exit) => (Exit.isSuccess(exit) ? configurationLife : 0)))

  const exchange = async (
    provider: Library.Configuration,
    query: string,
    { nonce, state, verifier }: LoginChecks
  ): Promise<ProvenUser> => {
    const tokens = await client.authorizationCodeGrant(provider, new URL(`${settings.redirectUri}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error("no ID token")
    if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new Error("the subject is not 1 to 255 characters of ASCII")
    const needsMore = !isComplete(claims, settings) && provider.serverMetadata().userinfo_endpoint !== undefined
    const info: Claims = needsMore ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
    return provenUser(claims, info, settings)
  }

  return {
    /** Address of the provider that the browser goes to. */
    authorizationUrl: Effect.fn("OpenIdConnect.authorizationUrl")(function* (checks: LoginChecks) {
      const provider = yield* discovered
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(checks.verifier))
      return client.buildAuthorizationUrl(provider, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })
    }, inTime),

    /** Validates the query that the provider sent the browser back with, and redeems its code. */
    redeem: Effect.fn("OpenIdConnect.redeem")(function* (query: string, checks: LoginChecks) {
      const provider = yield* discovered
      return yield* Effect.tryPromise({ try: () => exchange(provider, query, checks), catch: toError })
    }, inTime)
  }
})
