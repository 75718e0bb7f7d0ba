/** Serves the settings that the console needs before a login. */
import { type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import { maximumApiKeyDays, minimumPasswordCharacters, sessionHours } from "../accounts/AccountPolicy.ts"
import type { Settings } from "../configuration/Settings.ts"
import type { Access } from "./Access.ts"
import { ConfigurationApi } from "./contract/ConfigurationApi.ts"
import { withoutSession } from "./WithSession.ts"

export const configurationEndpoints = (
  access: Access,
  {
    access: { rateLimitPerMinute },
    console: { mapAttribution, mapTileUrl },
    digest: { hour, timeZone },
    login: { openId, passwords },
    mail,
    uploads: { maximumCoverBytes, maximumFileBytes }
  }: Pick<Settings, "access" | "console" | "digest" | "login" | "mail" | "uploads">
): ReadonlyArray<HostEndpoint> => {
  const map = { tileUrl: Option.getOrNull(mapTileUrl), attribution: Option.getOrNull(mapAttribution) }
  const oidc = Option.map(openId, ({ name }) => ({ name: Option.getOrNull(name) }))
  const login = { password: passwords, oidc: Option.getOrNull(oidc) }
  const api = { requestsPerMinute: rateLimitPerMinute === 0 ? null : rateLimitPerMinute }
  const accounts = { sessionHours, minimumPasswordCharacters, maximumApiKeyDays }
  const digest = Option.isSome(mail) ? { hour, timeZone } : null
  const document = { map, uploads: { maximumFileBytes, maximumCoverBytes }, login, api, accounts, digest }
  return hostGroup(ConfigurationApi, withoutSession(access), {
    get: () => Effect.succeed(reply(document))
  })
}
