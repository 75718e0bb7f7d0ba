/** Serves the coverage of chosen sites. */
import { Coverage } from "@solar-sites/core"
import { type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "./Access.ts"
import { CoverageOfSitesApi } from "./contract/CoverageOfSitesApi.ts"
import { withSession } from "./WithSession.ts"

/** Statements at the same time, each for one site. */
const concurrency = 8

export const coverageEndpoints = (access: Access): Effect.Effect<ReadonlyArray<HostEndpoint>, never, Coverage> =>
  Effect.map(Coverage, (coverage) =>
    hostGroup(CoverageOfSitesApi, withSession(access), {
      list: ({ query: { siteId = [] } }) =>
        Effect.map(
          Effect.forEach(new Set(siteId), (siteId) => coverage.list({ siteId }), { concurrency }),
          (found) => reply({ data: found.flatMap(({ data }) => data) })
        )
    })
  )
