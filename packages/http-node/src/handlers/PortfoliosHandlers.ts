/**
 * Serves the portfolio endpoints by calling `Portfolios`.
 */
import {
  Portfolio,
  PortfolioId,
  Portfolios,
  SiteId,
  SiteNotFound,
  type SiteNotInPortfolio,
  Sites,
  uncountedPageSize
} from "@solar-sites/core"
import { Effect } from "effect"
import { PortfoliosApi, type SiteSelection } from "../contract/PortfoliosApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { Refused, refusedExternalIds } from "../pipeline/Refused.ts"
import { reply, replyNothing, replyVersioned } from "../pipeline/Reply.ts"
import { expectedVersions, oneSelection, oneSelectionAnywhere } from "./Conditions.ts"
import { csvReplyOf } from "./CsvReply.ts"
import { replyList, replyWithSites } from "./ListReply.ts"
import { listReplay } from "./ReplayedReply.ts"

const replyCsv = csvReplyOf("portfolios", Portfolio)

/** The ids of a selection, and the pointer to each of them in the request. */
interface Selected {
  readonly siteIds: ReadonlyArray<SiteId>
  readonly pointerTo: (index: number) => string
}

const selected = (payload: SiteSelection | undefined, inQuery: ReadonlyArray<SiteId> = []): Selected => {
  const { siteId = null, siteIds = null } = payload ?? {}
  if (siteIds !== null) return { siteIds, pointerTo: (index) => `/siteIds/${index}` }
  return { siteIds: siteId === null ? inQuery : [siteId], pointerTo: () => "/siteId" }
}

/** Names the places in the request, never the ids. */
const pointing = ({ pointerTo, siteIds }: Selected) => {
  return (refusal: SiteNotFound | SiteNotInPortfolio) => {
    const missing = new Set(refusal.siteIds)
    const detail = refusal._tag === "SiteNotFound" ? "is no site of your organisation" : "is not in this portfolio"
    const errors = siteIds.flatMap((siteId, index) =>
      missing.has(siteId) ? [{ pointer: pointerTo(index), code: refusal.code, detail }] : []
    )
    return Effect.fail(new Refused({ code: refusal.code, errors }))
  }
}

/** Fails with all missing sites. Concurrent look-ups are batched; sites are large, so they are few. */
const existingSites = (sites: Sites["Service"], siteIds: ReadonlyArray<SiteId>) =>
  Effect.forEach(
    new Set(siteIds),
    (siteId) => Effect.as(sites.get(siteId), []).pipe(Effect.catchTag("SiteNotFound", () => Effect.succeed([siteId]))),
    { concurrency: uncountedPageSize }
  ).pipe(
    Effect.map((missing) => missing.flat()),
    Effect.filterOrFail(
      (missing) => missing.length === 0,
      (siteIds) => new SiteNotFound({ siteIds })
    )
  )

export const portfoliosHandlers = Effect.map(Effect.all([Portfolios, Sites]), ([portfolios, sites]) =>
  serveGroup(
    PortfoliosApi,
    {
      list: ({ query }) => replyList(query, portfolios.list),
      create: ({ payload }) => {
        const [inputs, at] = "portfolios" in payload ? [payload.portfolios, "/portfolios"] : [payload, ""]
        const pointerTo = (taken: string) =>
          `${at}/${inputs.findIndex(({ externalId }) => externalId === taken)}/externalId`
        return portfolios.createMany(inputs).pipe(
          Effect.map((data) => reply({ data }, { status: 201 })),
          Effect.catchTag("ExternalIdTaken", (refusal) => Effect.fail(refusedExternalIds(refusal, pointerTo)))
        )
      },
      listWithSites: ({ query }) => replyWithSites(portfolios.streamWithSites(query)),
      get: ({ params }) => Effect.map(portfolios.get(params.id), replyVersioned),
      update: ({ headers, params, payload }) =>
        Effect.map(portfolios.update(params.id, payload, expectedVersions(headers)), replyVersioned),
      delete: ({ headers, params }) => Effect.as(portfolios.delete(params.id, expectedVersions(headers)), replyNothing),
      addSites: ({ params, payload }) => {
        const selection = selected(payload)
        return portfolios.addSites(params.id, selection.siteIds).pipe(
          Effect.map((data) => reply({ data })),
          Effect.catchTag("SiteNotFound", pointing(selection))
        )
      },
      removeSites: ({ headers, params, payload, query }) => {
        const selection = selected(payload, query.siteId)
        return portfolios
          .removeSites(params.id, selection.siteIds, expectedVersions(headers))
          .pipe(Effect.as(replyNothing), Effect.catchTag("SiteNotInPortfolio", pointing(selection)))
      }
    },
    {
      csv: { list: ({ pageAt, query }) => replyCsv(query, pageAt, portfolios.list) },
      checks: {
        addSites: oneSelection,
        removeSites: oneSelectionAnywhere
      },
      replays: {
        create: listReplay((id) =>
          portfolios.get(PortfolioId.make(id)).pipe(
            Effect.map((found) => [found]),
            Effect.catchTag("PortfolioNotFound", () => Effect.succeed([]))
          )
        ),
        addSites: listReplay((id) =>
          sites.get(SiteId.make(id)).pipe(
            Effect.map((found) => [found]),
            Effect.catchTag("SiteNotFound", () => Effect.succeed([]))
          )
        )
      },
      resources: {
        addSites: ({ params, payload }) => {
          const selection = selected(payload)
          return Effect.andThen(portfolios.get(params.id), existingSites(sites, selection.siteIds)).pipe(
            Effect.catchTag("SiteNotFound", pointing(selection))
          )
        }
      }
    }
  )
)
