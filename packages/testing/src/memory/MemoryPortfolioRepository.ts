/**
 * `PortfolioRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  MaximumPageBytes,
  PortfolioRepository,
  pageOfPortfolios,
  pageOfSlices,
  portfolioDeletion,
  siteMoving,
  withTotals
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, ownedBy } from "./MemoryDatabase.ts"
import { sitesOf } from "./MemoryPortfolio.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<PortfolioRepository, never, MemoryDatabase> = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return PortfolioRepository.of({
      ...(yield* siteMoving),
      ...(yield* portfolioDeletion),
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owned = ownedBy(database, organisationId)
          const { hasMore, items } = pageOfPortfolios(owned.portfolios.values(), conditions, page, bytes)
          return { items: items.map((portfolio) => withTotals(portfolio, sitesOf(owned, portfolio.id))), hasMore }
        }),
      listWithSites: (organisationId, piece) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const { portfolios, sites } = ownedBy(database, organisationId)
          return pageOfSlices(portfolios.values(), sites.values(), piece, bytes)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
