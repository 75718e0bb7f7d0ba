/** Settings that the console needs before a login. */
import type { UploadPolicySettings } from "@solar-sites/core"
import type { HostEndpoint } from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ConsoleSettings } from "../configuration/Settings.ts"

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
