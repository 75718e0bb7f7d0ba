/** Settings that the console needs before a login. */
import type { HostEndpoint } from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { maximumApiKeyDays, minimumPasswordCharacters, sessionHours } from "../accounts/AccountPolicy.ts"
import type { Settings } from "../configuration/Settings.ts"

export const configurationEndpoint = ({
  access: { rateLimitPerMinute },
  console: { mapAttribution, mapTileUrl },
  digest: { hour, timeZone },
  login: { openId, passwords },
  mail,
  uploads: { maximumCoverBytes, maximumFileBytes }
}: Pick<Settings, "access" | "console" | "digest" | "login" | "mail" | "uploads">): HostEndpoint => {
  const map = { tileUrl: Option.getOrNull(mapTileUrl), attribution: Option.getOrNull(mapAttribution) }
  const oidc = Option.map(openId, ({ name }) => ({ name: Option.getOrNull(name) }))
  const login = { password: passwords, oidc: Option.getOrNull(oidc) }
  const api = { requestsPerMinute: rateLimitPerMinute === 0 ? null : rateLimitPerMinute }
  const accounts = { sessionHours, minimumPasswordCharacters, maximumApiKeyDays }
  // Null: without mail nothing is sent.
  const digest = Option.isSome(mail) ? { hour, timeZone } : null
  const document = { map, uploads: { maximumFileBytes, maximumCoverBytes }, login, api, accounts, digest }
  return {
    method: "GET",
    path: "/console/configuration",
    serve: () => Effect.succeed(HttpServerResponse.jsonUnsafe(document))
  }
}
