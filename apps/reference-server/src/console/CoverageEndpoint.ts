/** Coverage of chosen sites, such as those of a page of the list. The API has it of one site or of all. */
import { Coverage, faultsOf, SiteCoverage, SiteId, ValidationFailed } from "@solar-sites/core"
import type { HostEndpoint, HostEndpointRequest } from "@solar-sites/http-node"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Access } from "./Access.ts"
import { asUser } from "./AsUser.ts"

/** Sites of one request. Proxies take addresses of 8 kB, which is about 180 ids. */
const maximumSites = 100

/** Statements at the same time, each for one site. */
const concurrency = 8

const Query = Schema.Struct({ siteId: Schema.Array(SiteId).check(Schema.isMaxLength(maximumSites)) })

const decodeQuery = Schema.decodeUnknownEffect(Query, { errors: "all" })

const encodeCoverage = Schema.encodeSync(Schema.Array(SiteCoverage))

/** The repeated parameter `siteId`. */
const readSiteIds = ({ request }: HostEndpointRequest) => {
  const siteId = new URL(request.url, "http://localhost").searchParams.getAll("siteId")
  return decodeQuery({ siteId: [...new Set(siteId)] }).pipe(
    Effect.mapError(({ issue }) => new ValidationFailed({ faults: faultsOf(issue) })),
    Effect.map((query) => query.siteId)
  )
}

export const coverageEndpoint = (access: Access): Effect.Effect<HostEndpoint, never, Coverage> =>
  Effect.map(
    Coverage,
    (coverage): HostEndpoint => ({
      method: "GET",
      path: "/console/coverage",
      serve: asUser(access)(
        Effect.fnUntraced(function* (incoming) {
          const siteIds = yield* readSiteIds(incoming)
          const found = yield* Effect.forEach(siteIds, (siteId) => coverage.list({ siteId }), { concurrency })
          const data = encodeCoverage(found.flatMap((page) => page.data))
          return HttpServerResponse.jsonUnsafe({ data })
        })
      )
    })
  )
