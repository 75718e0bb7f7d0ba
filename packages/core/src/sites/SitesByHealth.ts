/**
 * Rule service for lists of sites by their health. For hosts that show it: no public operation calls it, and
 * callers over HTTP read coverage instead.
 */
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { read } from "../caller/Operation.ts"
import { dayOf } from "../input/CalendarDate.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { CoverImages } from "./CoverImages.ts"
import { ListSites, type Site } from "./Site.ts"
import { SiteHealth } from "./SiteHealth.ts"
import { SiteRepository, siteSortKeys } from "./SiteRepository.ts"

/** The query of a list of sites, and the health that all of them have. */
export const ListSitesByHealth = Schema.Struct({ ...ListSites.fields, health: SiteHealth })
export type ListSitesByHealth = typeof ListSitesByHealth.Type

const operations = {
  list: read({ scopes: ["sites:read", "documents:read"], input: ListSitesByHealth, refusals: [] })
}

export class SitesByHealth extends Context.Service<
  SitesByHealth,
  Guarded<{
    /** Sites that have the health today (UTC), in any order of a list of sites. */
    readonly list: (
      query: ListSitesByHealth
    ) => Effect.Effect<List<Site>, ValidationFailed | RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/SitesByHealth") {
  /** Requires the ports of the application. */
  static readonly layer: Layer.Layer<SitesByHealth, never, SiteRepository | CoverImages> = Layer.effect(
    SitesByHealth,
    Effect.gen(function* () {
      const repository = yield* SiteRepository
      const covers = yield* CoverImages

      const list = fnWithSpan("SitesByHealth.list")(function* (query: ListSitesByHealth) {
        const { organisationId } = yield* CurrentCaller
        const { health: is, ...rest } = query
        const conditions = { ...rest, health: { is, asOf: dayOf(yield* DateTime.now) } }
        return yield* listPages(
          "sites",
          query,
          (page) => Effect.flatMap(repository.list(organisationId, conditions, page), covers.withSignedCoverPage),
          siteSortKeys
        )
      })

      return SitesByHealth.of(guarded(operations, { list }))
    })
  )
}
