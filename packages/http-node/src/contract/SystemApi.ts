/**
 * Endpoints about the caller itself, and those that tell operators and tools about
 * the service.
 */
import { ApiKey, ApiScope, Organisation, PortfolioId, UserId } from "@solar-sites/core/model"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { IfNoneMatch } from "./Conditions.ts"
import { exampleMe } from "./Examples.ts"
import { openOperation, operation } from "./Operation.ts"
import { conditional } from "./Parts.ts"
import { refusals } from "./Problems.ts"

/**
 * The organisation, the user and the key behind a request, the scopes of the caller, and the portfolios that it is
 * limited to, null without a limit. `apiKey` has what the key was created with, and is null for a caller that the host
 * has authenticated by other means.
 */
export const Me = Schema.Struct({
  organisation: Organisation,
  userId: Schema.NullOr(UserId),
  apiKey: Schema.NullOr(ApiKey),
  scopes: Schema.Array(ApiScope),
  portfolioIds: Schema.NullOr(Schema.Array(PortfolioId))
})
export type Me = typeof Me.Type

/** `checks` says of each dependency whether it is up. */
export const Health = Schema.Struct({
  status: Schema.Literal("up"),
  checks: Schema.Record(Schema.String, Schema.Literals(["up", "down"]))
})
export type Health = typeof Health.Type

// Every caller may read its own key and scopes.
const me = { kind: "read", scopes: [], refusals: [] } as const

const document = <S extends Schema.Top>(content: S) => ({
  ...conditional({ success: content }),
  headers: Schema.Struct({ "accept-encoding": Schema.optionalKey(Schema.String), ...IfNoneMatch.fields }),
  error: refusals
})

const documentHeaders = {
  etag: "A tag that changes with the document.",
  vary: "`Accept-Encoding`: the document comes as br or gzip for clients that accept one."
}

export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("me", "/api/me", { success: Me, error: refusals })
      .middleware(Authentication)
      .annotateMerge(
        operation(me, {
          id: "getMe",
          summary: "Read the organisation, the key, the scopes and the portfolios in use",
          response: exampleMe
        })
      ),
    HttpApiEndpoint.get("live", "/health/live", { success: Health, error: refusals }).annotateMerge(
      openOperation({
        id: "getLiveness",
        summary: "Check that the process answers",
        response: { status: "up", checks: {} }
      })
    ),
    HttpApiEndpoint.get("ready", "/health/ready", { success: Health, error: refusals }).annotateMerge(
      openOperation({
        id: "getReadiness",
        summary: "Check that this instance takes requests",
        description: "A problem of this operation has the member `checks`, too.",
        problems: ["database_unavailable", "shutting_down"],
        response: { status: "up", checks: { database: "up" } }
      })
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })),
      error: refusals
    }).annotateMerge(
      openOperation({
        id: "getMetrics",
        summary: "Read metrics for Prometheus",
        description:
          "Clients on the same machine can read them. Once a token is set, clients that send it as `Authorization: Bearer` can, too. Other clients get 404.",
        problems: ["route_not_found"]
      })
    ),
    HttpApiEndpoint.get(
      "openapi",
      "/openapi.json",
      document(Schema.Record(Schema.String, Schema.Unknown))
    ).annotateMerge(openOperation({ id: "getOpenApi", summary: "This document", responseHeaders: documentHeaders })),
    HttpApiEndpoint.get(
      "docs",
      "/docs",
      document(Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" })))
    ).annotateMerge(
      openOperation({
        id: "getDocs",
        summary: "The API reference for people",
        responseHeaders: documentHeaders
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "System", description: "The caller, health, metrics and documentation." })
  ) {}
