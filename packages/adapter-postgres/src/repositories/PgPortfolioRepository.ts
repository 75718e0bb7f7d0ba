/**
 * Keeps portfolios in the table `portfolio`.
 */
import { PortfolioRepository, portfolioRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import * as PgRecords from "../records/PgRecords.ts"
import { originParameters } from "./PgEventLog.ts"
import { makePortfolioList } from "./PgPortfolioListing.ts"
import { makeMembership } from "./PgPortfolioMembership.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"

export const layer: Layer.Layer<PortfolioRepository, never, PgClient> = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const client = yield* PgClient

    return PortfolioRepository.of({
      ...(yield* portfolioRecords),
      list: makePortfolioList(client),
      listWithSites: makeListWithSites(client),
      ...makeMembership(client, yield* originParameters)
    })
  })
).pipe(Layer.provide(PgRecords.layer))
