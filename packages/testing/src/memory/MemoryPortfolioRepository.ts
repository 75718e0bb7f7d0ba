/** `PortfolioRepository` in memory. */
import {
  MaximumPageBytes,
  PortfolioRepository,
  pageOfPortfolios,
  pageOfSlices,
  portfolioDeletion,
  portfolioKind,
  siteKind,
  siteMoving,
  withTotals
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, recordsOf } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

export const layer: Layer.Layer<PortfolioRepository, never, MemoryDatabase> = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return PortfolioRepository.of({
      ...(yield* siteMoving),
      ...(yield* portfolioDeletion),
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(organisationId)
          const { hasMore, items } = pageOfPortfolios(recordsOf(owner, portfolioKind).values(), conditions, page, bytes)
          const sites = Map.groupBy(recordsOf(owner, siteKind).values(), ({ portfolioId }) => portfolioId)
          return { items: items.map((portfolio) => withTotals(portfolio, sites.get(portfolio.id) ?? [])), hasMore }
        }),
      listWithSites: (organisationId, piece) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(organisationId)
          const [portfolios, sites] = [recordsOf(owner, portfolioKind), recordsOf(owner, siteKind)]
          return pageOfSlices(portfolios.values(), sites.values(), piece, bytes)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
