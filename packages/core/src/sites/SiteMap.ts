/**
 * Rule service for hosts that draw a map. It is no part of the promises and of the API, which have lists.
 */
import { Context, Effect, Layer } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { read } from "../caller/Operation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { ClusterConditions, type SiteClusters } from "./SiteClusters.ts"
import { SiteRepository } from "./SiteRepository.ts"

const operations = {
  clusters: read({ scopes: ["sites:read"], input: ClusterConditions, refusals: [] })
}

/** Works in the organisation of the caller. */
export class SiteMap extends Context.Service<
  SiteMap,
  Guarded<{
    /** Sites that meet all conditions, counted by the cells of a grid. */
    readonly clusters: (conditions: ClusterConditions) => Effect.Effect<SiteClusters, RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/SiteMap") {
  static readonly layer: Layer.Layer<SiteMap, never, SiteRepository> = Layer.effect(
    SiteMap,
    Effect.map(SiteRepository, (repository) =>
      SiteMap.of(
        guarded(operations, {
          clusters: fnWithSpan("SiteMap.clusters")(function* (conditions: ClusterConditions) {
            const { organisationId } = yield* CurrentCaller
            return yield* repository.clusters(organisationId, conditions)
          })
        })
      )
    )
  )
}
