/**
 * Serves the caller's own data, health, metrics and documentation.
 */
import { ApiKeys, apiScopes, CurrentCaller, Organisations } from "@solar-sites/core"
import { Duration, Effect, Exit, Option } from "effect"
import { OpenApi } from "effect/http-api"
import { SolarSitesApi } from "../contract/SolarSitesApi.ts"
import type { Health } from "../contract/SystemApi.ts"
import { SystemApi } from "../contract/SystemApi.ts"
import { HealthChecks } from "../Options.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { jsonMediaType, reply } from "../pipeline/Reply.ts"
import { metricsReply } from "./MetricsHandler.ts"
import { readiness } from "./Readiness.ts"
import { plainForFetch, sharedDocument } from "./SharedDocument.ts"

/** `prefix` is the path of the API as clients see it. While `isShuttingDown`, the instance is not ready. */
export const systemHandlers = (prefix: string, isShuttingDown: () => boolean) =>
  Effect.gen(function* () {
    const organisations = yield* Organisations
    const apiKeys = yield* ApiKeys
    const checks = yield* HealthChecks
    const api = prefix === "" ? SolarSitesApi : SolarSitesApi.annotate(OpenApi.Servers, [{ url: prefix }])
    // Both documents are made on the first request; the page alone has some megabytes.
    const openapi = yield* Effect.cached(
      Effect.suspend(() =>
        sharedDocument(new TextEncoder().encode(JSON.stringify(OpenApi.fromApi(api))), { contentType: jsonMediaType })
      )
    )
    // A failed import, as one without descriptors, is not kept.
    const docs = yield* Effect.cachedWithTTL(
      Effect.promise(() => import("./ApiReference.ts")).pipe(
        Effect.flatMap(({ apiReference }) => apiReference(api)),
        Effect.flatMap(({ bytes, headers }) =>
          sharedDocument(bytes, { contentType: "text/html; charset=utf-8", headers })
        )
      ),
      (exit) => (Exit.isSuccess(exit) ? Duration.infinity : 0)
    )
    const metrics = yield* metricsReply
    const ready = readiness(checks, isShuttingDown)
    const me = Effect.gen(function* () {
      const { organisationId, scopes = apiScopes, userId } = yield* CurrentCaller
      const access = Option.getOrNull(yield* apiKeys.accessInUse)
      const organisation = access?.organisation ?? (yield* organisations.get(organisationId))
      const portfolioIds = yield* apiKeys.portfoliosInUse
      return reply({ organisation, userId, apiKey: access?.apiKey ?? null, scopes, portfolioIds })
    })
    return serveGroup(SystemApi, {
      me: () => me,
      live: () => Effect.succeed(reply<Health>({ status: "up", checks: {} })),
      ready: () => ready,
      metrics: () => metrics,
      openapi: ({ headers }) => Effect.flatMap(openapi, (answer) => answer(headers)),
      docs: ({ headers }) => Effect.flatMap(docs, (answer) => answer(headers))
    }).map(plainForFetch)
  })
