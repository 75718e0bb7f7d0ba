/**
 * Pages of the console: one HTML document per language at every page path, and their assets. They
 * contain no data; the page loads it from the API.
 */
import { type DocumentStorage, RandomBytes } from "@solar-sites/core"
import { type HostEndpoint, type HostEndpointRequest, HostRefused } from "@solar-sites/http-node"
import { describeProblem } from "@solar-sites/http-node/contract"
import { Effect, Option, type Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ConsoleSettings } from "../../configuration/Settings.ts"
import { languageOf } from "../Language.ts"
import { consoleFolder } from "./ConsoleBuild.ts"
import { type ConsoleFiles, readConsoleFiles } from "./ConsoleFiles.ts"
import { contentSecurityPolicy, storageOrigin } from "./ContentSecurity.ts"

const paths = [
  "/",
  "/login",
  "/forgotten-password",
  "/invitation",
  "/reset",
  "/email",
  "/account",
  "/sites",
  "/sites/:id",
  "/sites/:id/documents",
  "/sites/:id/coverage",
  "/sites/:id/activity",
  "/portfolios",
  "/portfolios/:id",
  "/documents",
  "/documents/expiring",
  "/documents/all",
  "/coverage",
  "/company",
  "/company/people",
  "/company/api-keys",
  "/company/webhooks",
  "/company/requirements",
  "/company/activity",
  // Addresses of earlier versions, which redirect in the browser.
  "/profile",
  "/profile/api-keys",
  "/profile/people"
] as const

// Paths of the API and of assets: unknown ones get a problem document.
const nonPagePath = /^\/(api|storage|assets|health)(\/|$)|^\/console\/./

/** True of a browser that navigates to a page path. */
const wantsPage = ({ headers, url }: HostEndpointRequest["request"]): boolean =>
  !nonPagePath.test(url) && (headers["accept"] ?? "").includes("text/html")

const noncePlaceholder = "__CSP_NONCE__"
const nonceLength = 16

const unknown = new HostRefused(describeProblem("route_not_found"))

/** The console while it cannot be served; `refresh` is the header that reloads the page. */
interface Unavailable {
  readonly message: string
  readonly refresh: Readonly<Record<string, string>>
}

type Files = Unavailable | ConsoleFiles

const building: Unavailable = {
  message: "The console is being built. This page reloads in a moment.",
  refresh: { refresh: "2" }
}
const missing: Unavailable = {
  message: "The console could not be built or found; see the log. The API works.",
  refresh: {}
}

/** The current files. Requests do not wait for the build. */
const files: Effect.Effect<() => Files, never, Scope.Scope> = Effect.gen(function* () {
  let current: Files = building
  yield* Effect.flatMap(consoleFolder, readConsoleFiles).pipe(
    Effect.tapCause((cause) => Effect.logError("console unavailable", cause)),
    Effect.matchCause({
      onSuccess: (read) => {
        current = read
      },
      onFailure: () => {
        current = missing
      }
    }),
    Effect.forkScoped
  )
  return () => current
})

const unavailable = ({ refresh, message }: Unavailable) =>
  HttpServerResponse.text(`${message}\n`, { status: 503, headers: { "retry-after": "2", ...refresh } })

/** `notFound` serves the HTML document with status 404 at unknown page paths. */
export const pageEndpoints = ({ language, mapTileUrl }: ConsoleSettings) =>
  Effect.gen(function* () {
    const current = yield* files
    const randomBytes = yield* RandomBytes
    const tiles = Option.getOrUndefined(Option.map(mapTileUrl, (address) => new URL(address).origin))
    const context = yield* Effect.context<DocumentStorage>()
    // A failure is not cached; the next page tries again.
    const storage = Effect.orElseSucceed(Effect.provide(storageOrigin, context), () => undefined)

    const page = Effect.fnUntraced(function* ({ headers }: HostEndpointRequest["request"]) {
      const there = current()
      if ("message" in there) return unavailable(there)
      const nonce = Buffer.from(randomBytes(nonceLength)).toString("base64")
      const html = there.pages.get(languageOf(headers, [...there.pages.keys()], language)) ?? ""
      return HttpServerResponse.text(html.replaceAll(noncePlaceholder, nonce), {
        contentType: "text/html; charset=utf-8",
        headers: {
          "content-security-policy": contentSecurityPolicy(nonce, { storage: yield* storage, tiles }),
          "referrer-policy": "no-referrer"
        }
      })
    })

    const asset = (incoming: HostEndpointRequest) => {
      const there = current()
      if ("message" in there) return Effect.succeed(unavailable(there))
      const found = there.assets.get(incoming.params["name"] ?? "")
      return found === undefined ? Effect.fail(unknown) : found(incoming.request.headers)
    }

    const notFound: HostEndpoint["serve"] = ({ request }) =>
      wantsPage(request)
        ? Effect.map(page(request), (response) =>
            response.status === 200 ? HttpServerResponse.setStatus(response, 404) : response
          )
        : Effect.fail(unknown)

    return {
      endpoints: [
        ...paths.map((path): HostEndpoint => ({ method: "GET", path, serve: ({ request }) => page(request) })),
        { method: "GET", path: "/assets/:name", serve: asset }
      ] satisfies ReadonlyArray<HostEndpoint>,
      notFound
    }
  })
