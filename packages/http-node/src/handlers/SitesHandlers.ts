/**
 * Serves the site endpoints by calling `Sites`.
 */
import { Portfolios, Site, Sites, storageKeyIn } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { SitesApi } from "../contract/SitesApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { replyCreated, replyNothing, replyUnlessKnown, replyVersioned } from "../pipeline/Reply.ts"
import { expectedVersions, ownCover } from "./Conditions.ts"
import { csvReplyOf } from "./CsvReply.ts"
import { replyList } from "./ListReply.ts"
import { bulkPortfolios, bulkReplay, serveBulk } from "./SitesBulkHandler.ts"

const isSigned = (address: string | null): boolean => Option.isSome(storageKeyIn(address ?? ""))

const replyCsv = csvReplyOf("sites", Site)

export const sitesHandlers = Effect.map(Effect.all([Sites, Portfolios]), ([sites, portfolios]) =>
  serveGroup(
    SitesApi,
    {
      list: ({ query }) => replyList(query, sites.list),
      create: ({ base, payload }) =>
        Effect.map(sites.create(payload), (site) => replyCreated(site, `${base}/api/sites/${site.id}`)),
      bulk: ({ payload }) => serveBulk(sites, payload),
      get: ({ headers, params }) =>
        Effect.map(sites.get(params.id), (site) =>
          // The address of an uploaded cover changes without the version.
          isSigned(site.coverImageUrl) ? replyVersioned(site) : replyUnlessKnown(headers)(site)
        ),
      update: ({ headers, params, payload }) =>
        Effect.map(sites.update(params.id, payload, expectedVersions(headers)), replyVersioned),
      delete: ({ headers, params }) => Effect.as(sites.delete(params.id, expectedVersions(headers)), replyNothing)
    },
    {
      checks: { update: ownCover },
      csv: { list: ({ pageAt, query }) => replyCsv(query, pageAt, sites.list) },
      resources: {
        create: ({ payload: { portfolioId = null } }) =>
          portfolioId === null ? Effect.void : portfolios.get(portfolioId),
        bulk: ({ payload }) => bulkPortfolios(portfolios, payload)
      },
      replays: { bulk: bulkReplay(sites) }
    }
  )
)
