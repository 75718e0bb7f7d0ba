/** Calls every list for callers that are limited to a portfolio, and to several. */
import {
  CalendarDate,
  type DocumentConditions,
  DocumentRepository,
  EventRepository,
  ExternalId,
  type OrganisationId,
  PortfolioRepository,
  RequirementRepository,
  SiteRepository
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"

const asOf = CalendarDate.make("2026-11-22")
const page = { after: null, limit: 50 }
const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

export const limitedLists = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const [sites, portfolios, documents] = [yield* SiteRepository, yield* PortfolioRepository, yield* DocumentRepository]
  const [coverage, events] = [yield* RequirementRepository, yield* EventRepository]
  const ids = (yield* portfolios.list(organisationId, {}, page)).items.map(({ id }) => id)
  for (const portfolioIds of [ids.slice(0, 1), ids.slice(0, 8)]) {
    const reach = { organisationId, portfolioIds }
    const [site] = (yield* sites.list(reach, {}, page)).items
    const after = site?.id ?? null
    yield* sites.list(reach, {}, { ...page, after })
    yield* sites.list(reach, { q: "long meadow" }, page)
    yield* sites.list(reach, { unit: "kWp" }, page)
    yield* sites.list(reach, { externalId: ExternalId.make("S-1") }, page)
    yield* sites.list(reach, {}, { ...page, sort: { by: "siteName", order: "asc", value: null } })
    const health = { is: "expired", asOf } as const
    const within = { west: 11, south: 48, east: 11.2, north: 48.2 }
    for (const conditions of [{}, { q: "long meadow" }, { within }, { health }]) {
      yield* sites.clusters(reach, conditions)
    }
    yield* sites.list(reach, { health }, page)
    yield* sites.idsByExternalId(reach, [ExternalId.make("S-1")])
    yield* portfolios.list(reach, {}, page)
    yield* portfolios.listWithSites(reach, page)
    const some: ReadonlyArray<DocumentConditions> = [
      {},
      { q: "report" },
      ...portfolioIds.slice(0, 1).map((portfolioId) => ({ portfolioId })),
      ...(site ? [{ siteId: site.id }] : [])
    ]
    for (const conditions of some) {
      yield* documents.list(reach, conditions, page)
    }
    const [document] = (yield* documents.list(reach, {}, page)).items
    if (document !== undefined) yield* documents.listRevisions(reach, document.id, page)
    for (const conditions of [{}, { state: "expired" as const }, ...(site ? [{ siteId: site.id }] : [])]) {
      yield* coverage.listCoverage(reach, { ...conditions, asOf }, page)
    }
    yield* coverage.summariseCoverage(reach, { asOf })
    for (const conditions of [{}, { type: ["site.updated" as const] }, { actorId: "user-3" }, { from: at }]) {
      yield* events.list(reach, conditions, { ...page, order: "asc" })
    }
    if (site !== undefined) yield* events.list(reach, { siteId: site.id }, { ...page, order: "desc" })
  }
})
