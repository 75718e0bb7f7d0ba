/** `PortfolioRepository` in memory. */
import {
  MaximumPageBytes,
  PortfolioRepository,
  pageOfPortfolios,
  pageOfSlices,
  portfolioDeletion,
  portfolioKind,
  portfoliosWithin,
  reachParts,
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
      list: (reach, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(reachParts(reach).organisationId)
          const portfolios = portfoliosWithin(reach, recordsOf(owner, portfolioKind).values())
          const { hasMore, items } = pageOfPortfolios(portfolios, conditions, page, bytes)
          const sites = Map.groupBy(recordsOf(owner, siteKind).values(), ({ portfolioId }) => portfolioId)
          return { items: items.map((portfolio) => withTotals(portfolio, sites.get(portfolio.id) ?? [])), hasMore }
        }),
      listWithSites: (reach, piece) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owner = database.get(reachParts(reach).organisationId)
          const portfolios = portfoliosWithin(reach, recordsOf(owner, portfolioKind).values())
          return pageOfSlices(portfolios, recordsOf(owner, siteKind).values(), piece, bytes)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
