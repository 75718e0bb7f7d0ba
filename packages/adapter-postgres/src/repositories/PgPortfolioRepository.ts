/**
 * Keeps portfolios in the table `portfolio`.
 */
import { PortfolioRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import { makePortfolioList } from "./PgPortfolioListing.ts"
import { makeMembership } from "./PgPortfolioMembership.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"

export const layer: Layer.Layer<PortfolioRepository, never, PgClient> = Layer.effect(
  PortfolioRepository,
  Effect.map(PgClient, (client) =>
    PortfolioRepository.of({
      list: makePortfolioList(client),
      listWithSites: makeListWithSites(client),
      ...makeMembership(client)
    })
  )
)
