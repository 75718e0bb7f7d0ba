/**
 * Settings that the pages need before a login.
 *
 * @since 0.1.0
 */
import type { UploadPolicySettings } from "@solar-sites/core"
import type { HostEndpoint } from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ConsoleSettings } from "../configuration/Settings.ts"

/**
 * @category endpoints
 * @since 0.1.0
 */
export const configurationEndpoint = (
  { mapAttribution, mapTileUrl }: ConsoleSettings,
  { maximumCoverBytes, maximumFileBytes }: UploadPolicySettings
): HostEndpoint => {
  const map = { tileUrl: Option.getOrNull(mapTileUrl), attribution: Option.getOrNull(mapAttribution) }
  const document = { map, uploads: { maximumFileBytes, maximumCoverBytes } }
  return {
    method: "GET",
    path: "/console/configuration",
    serve: () => Effect.succeed(HttpServerResponse.jsonUnsafe(document))
  }
}
