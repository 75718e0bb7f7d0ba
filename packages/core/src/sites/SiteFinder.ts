/**
 * Rule service for hosts that show sites to people: lists and maps, by conditions that the API does not have. It is no
 * part of the promises: callers over HTTP have lists, and read coverage for the health.
 */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { read } from "../caller/Operation.ts"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { dayOf } from "../input/CalendarDate.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { CoverImages } from "./CoverImages.ts"
import { ListSites, type Site } from "./Site.ts"
import { MapSection, type SiteClusters } from "./SiteClusters.ts"
import { type HealthOnDay, SiteHealth } from "./SiteHealth.ts"
import { SiteRepository, siteSortKeys } from "./SiteRepository.ts"

const { cursor, limit, order, portfolioId, sort, ...conditions } = ListSites.fields

const found = {
  ...conditions,
  portfolioId: Schema.optionalKey(Schema.NullOr(PortfolioId)),
  health: Schema.optionalKey(SiteHealth)
}

/** The query of a list of sites. The portfolio null finds sites in no portfolio. `health` is that of today (UTC). */
export const FindSites = Schema.Struct({ ...found, cursor, limit, order, sort })
export type FindSites = typeof FindSites.Type

/** The same conditions, and a section of the map. */
export const FindClusters = Schema.Struct({ ...found, within: Schema.optionalKey(MapSection) })
export type FindClusters = typeof FindClusters.Type

const scopes = ["sites:read", "documents:read"] as const

const operations = {
  list: read({ scopes, input: FindSites, refusals: [] }),
  clusters: read({ scopes, input: FindClusters, refusals: [] })
}

/** The conditions of the port, for the day of the call. */
const onThisDay = <Query extends { readonly health?: SiteHealth }>({ health: is, ...rest }: Query) =>
  Effect.map(DateTime.now, (now): Omit<Query, "health"> & { readonly health?: HealthOnDay } =>
    is === undefined ? rest : { ...rest, health: { is, asOf: dayOf(now) } }
  )

/** Works in the organisation of the caller. */
export class SiteFinder extends Context.Service<
  SiteFinder,
  Guarded<{
    /** Sites that meet all conditions, in any order of a list of sites. */
    readonly list: (query: FindSites) => Effect.Effect<List<Site>, ValidationFailed | RepositoryError, CurrentCaller>

    /** Sites that meet all conditions, counted by the cells of a grid. */
    readonly clusters: (conditions: FindClusters) => Effect.Effect<SiteClusters, RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/SiteFinder") {
  /** Requires the ports of the application. */
  static readonly layer: Layer.Layer<SiteFinder, never, SiteRepository | CoverImages> = Layer.effect(
    SiteFinder,
    Effect.gen(function* () {
      const repository = yield* SiteRepository
      const covers = yield* CoverImages

      const list = fnWithSpan("SiteFinder.list")(function* (query: FindSites) {
        const { organisationId } = yield* CurrentCaller
        const conditions = yield* onThisDay(query)
        return yield* listPages(
          "sites",
          query,
          (page) => Effect.flatMap(repository.list(organisationId, conditions, page), covers.withSignedCoverPage),
          siteSortKeys
        )
      })

      const clusters = fnWithSpan("SiteFinder.clusters")(function* (query: FindClusters) {
        const { organisationId } = yield* CurrentCaller
        return yield* repository.clusters(organisationId, yield* onThisDay(query))
      })

      return SiteFinder.of(guarded(operations, { list, clusters }))
    })
  )
}
