/** Serves lists of sites by their health. */
import { maximumPageSize, SitesByHealth } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "./Access.ts"
import { SitesByHealthApi } from "./contract/SitesByHealthApi.ts"
import { withSession } from "./WithSession.ts"

export const sitesByHealthEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, SitesByHealth> =>
  Effect.map(SitesByHealth, (sites) =>
    hostGroup(SitesByHealthApi, withSession(access), {
      list: ({ query }) => Effect.map(sites.list({ limit: maximumPageSize, ...query }), reply)
    })
  )
