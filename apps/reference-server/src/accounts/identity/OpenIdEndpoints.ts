/** Endpoints of logins by OpenID Connect: the way to the provider, and the way back. */
import { RateLimiter } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Duration, Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Settings } from "../../configuration/Settings.ts"
import type { Access } from "../../console/Access.ts"
import { problems, rateLimited } from "../../console/ConsoleProblems.ts"
import { escaped } from "../../mail/Letters.ts"
import type { ProviderUnavailable } from "./OpenIdConnect.ts"
import { providerLogins } from "./ProviderLogins.ts"

const path = "/console/oidc"

/** Logins that one address may begin, and finish. Each begun one stores a row for 10 minutes. */
const quota = { limit: 300, window: Duration.minutes(10) }

const parts = ({ request }: HostEndpointRequest) => new URL(request.url, "http://console.invalid")

/** A path of the console's pages, in the form that browsers make of it; else the first page. */
const pathFor = (text: string | null): string => {
  const base = "http://console.invalid"
  if (text === null || text.length > 2_000 || !text.startsWith("/") || !URL.canParse(text, base)) return "/"
  const { hash, origin, pathname, search } = new URL(text, base)
  // Two slashes would begin the name of a host.
  return origin !== base || /^\/(\/|console\/)/.test(pathname) ? "/" : `${pathname}${search}${hash}`
}

const pageHeaders = {
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The address of the page holds the code of the provider.
  "referrer-policy": "no-referrer"
}

/**
 * A page that goes on by itself. A redirect would belong to the navigation from the provider, with
 * which browsers do not send the session's cookie.
 */
const continuing = (to: string, status: number, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Solar Sites</title>
<meta http-equiv="refresh" content="0;url=${escaped(to)}"></head>
<body><p><a href="${escaped(to)}">Continue</a></p></body></html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: { ...pageHeaders, ...headers } }
  )

const refused = (problem: string, reason: string) =>
  Effect.logWarning("login by OpenID Connect refused").pipe(
    Effect.annotateLogs({ problem, reason }),
    Effect.as(
      HttpServerResponse.empty({ status: 302, headers: { ...pageHeaders, location: `/login?problem=oidc_${problem}` } })
    )
  )

const unavailable = ({ reason }: ProviderUnavailable) =>
  Effect.logWarning("OpenID provider unavailable").pipe(
    Effect.annotateLogs({ reason }),
    Effect.as(continuing("/login?problem=oidc_unavailable", 503, { "retry-after": "10" }))
  )

/** None without a provider. */
export const openIdEndpoints = (
  { access: { rateLimitPerMinute }, login: { openId } }: Pick<Settings, "access" | "login">,
  { cookie, openIdCookie, sessions }: Access
) =>
  Effect.gen(function* () {
    if (Option.isNone(openId)) return []
    const logins = yield* providerLogins(openId.value, sessions)
    const limiter = yield* RateLimiter

    /** Images and frames of other pages are refused uncounted: they would use up the logins of an address. */
    const limit = ({ clientAddress, request }: HostEndpointRequest, step: "start" | "callback") => {
      if ((request.headers["sec-fetch-dest"] ?? "document") !== "document")
        return Effect.fail(problems.origin_not_allowed)
      return rateLimitPerMinute === 0 || clientAddress === undefined
        ? Effect.void
        : Effect.flatMap(limiter.take(`oidc-${step}:${clientAddress}`, quota), ({ allowed, retryAfter }) =>
            allowed ? Effect.void : Effect.fail(rateLimited("Too many logins are begun; see Retry-After.", retryAfter))
          )
    }

    const start = Effect.fnUntraced(
      function* (incoming: HostEndpointRequest) {
        yield* limit(incoming, "start")
        const returnTo = pathFor(parts(incoming).searchParams.get("returnTo"))
        const { address, token } = yield* logins.begin(returnTo, cookie.read(incoming.request.headers))
        const headers = { location: address.href, ...pageHeaders, ...openIdCookie.set(token) }
        return HttpServerResponse.empty({ status: 302, headers })
      },
      Effect.catchTag("ProviderUnavailable", unavailable)
    )

    const callback = Effect.fnUntraced(
      function* (incoming: HostEndpointRequest) {
        yield* limit(incoming, "callback")
        const { headers } = incoming.request
        const query = parts(incoming).search.slice(1)
        const finished = yield* logins.finish(openIdCookie.read(headers), query, headers["user-agent"])
        incoming.identify(finished.session.caller)
        return continuing(finished.returnTo, 200, cookie.set(finished.token))
      },
      Effect.catchTags({
        ProviderLoginRefused: ({ problem, reason }) => refused(problem, reason),
        ProviderUnavailable: unavailable
      })
    )

    return [
      { method: "GET", path: `${path}/start`, serve: start },
      { method: "GET", path: `${path}/callback`, serve: callback }
    ] satisfies ReadonlyArray<HostEndpoint>
  })
