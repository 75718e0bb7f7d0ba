/** Serves the sites of the map. */
import { mapSectionOf, SiteMap } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "./Access.ts"
import { SiteClustersApi } from "./contract/SiteClustersApi.ts"
import { withSession } from "./WithSession.ts"

export const siteClustersEndpoints = (access: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, SiteMap> =>
  Effect.map(SiteMap, (map) =>
    hostGroup(SiteClustersApi, withSession(access), {
      list: ({ query: { portfolioId, within, ...conditions } }) => {
        const section = within === undefined ? undefined : mapSectionOf(within)
        return Effect.map(
          map.clusters({
            ...conditions,
            ...(portfolioId === undefined ? {} : { portfolioId: portfolioId === "none" ? null : portfolioId }),
            ...(section === undefined ? {} : { within: section })
          }),
          (found) => reply(found)
        )
      }
    })
  )
