/** Serves sites in lists and on the map, and changes tags of many. */
import {
  mapSectionOf,
  maximumPageSize,
  type PortfolioId,
  type Records,
  Site,
  SiteFinder,
  siteTagging
} from "@solar-sites/core"
import { csvReplyOf, type HostEndpoint, hostGroup, reply } from "@solar-sites/http-node"
import { Effect } from "effect"
import type { Access } from "./Access.ts"
import { FoundSitesApi } from "./contract/FoundSitesApi.ts"
import { withSession } from "./WithSession.ts"

const inPortfolio = (portfolioId: "none" | PortfolioId | undefined) =>
  portfolioId === undefined ? {} : { portfolioId: portfolioId === "none" ? null : portfolioId }

const replyCsv = csvReplyOf("sites", Site)

export const foundSitesEndpoints = (
  access: Access
): Effect.Effect<ReadonlyArray<HostEndpoint>, never, SiteFinder | Records> =>
  Effect.gen(function* () {
    const finder = yield* SiteFinder
    const tag = yield* siteTagging
    return hostGroup(FoundSitesApi, withSession(access), {
      list: ({ query: { portfolioId, ...query } }) =>
        Effect.map(finder.list({ limit: maximumPageSize, ...query, ...inPortfolio(portfolioId) }), reply),
      // No page is named: without a limit all of them are in the answer.
      csv: ({ query: { portfolioId, ...query } }) =>
        replyCsv({ ...query, ...inPortfolio(portfolioId) }, () => "", finder.list),
      clusters: ({ query: { portfolioId, within, ...conditions } }) => {
        const section = within === undefined ? undefined : mapSectionOf(within)
        return Effect.map(
          finder.clusters({
            ...conditions,
            ...inPortfolio(portfolioId),
            ...(section === undefined ? {} : { within: section })
          }),
          (found) => reply(found)
        )
      },
      tag: ({ payload }) => Effect.map(tag(payload), (untagged) => reply(untagged))
    })
  })
