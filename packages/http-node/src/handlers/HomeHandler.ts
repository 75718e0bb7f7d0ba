/**
 * Leads the bare address to a page.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ServedEndpoint } from "../pipeline/Endpoint.ts"

export const homeAt = (location: string): ServedEndpoint => ({
  method: "GET",
  path: "/",
  requiresCaller: false,
  serve: () => Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { location } }))
})
