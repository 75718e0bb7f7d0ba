/**
 * Leads the bare address to a page.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ServedEndpoint } from "../middleware/Endpoint.ts"

export const homeAt = (location: string): ServedEndpoint => ({
  method: "GET",
  path: "/",
  keyed: false,
  serve: () => Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { location } }))
})
