/**
 * Keeps portfolios in the table `portfolio`.
 */
import { allConditionsRead, PortfolioRepository, reachParts } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { makeMembership } from "../records/PgPortfolioMembership.ts"
import { portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { afterInstant, byName, byUpdate, equal } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"
import { inPortfolio } from "./PgReached.ts"

const makePortfolioList = (client: PgClient["Service"]): PortfolioRepository["Service"]["list"] => {
  const list = pages(client, {
    operation: "PortfolioRepository.list",
    table: portfolioTable,
    from: sql`(${withTotals()}) x`,
    idsFrom: sql`${table("portfolio")} x`,
    orders: { updatedAt: byUpdate, name: byName },
    reached: inPortfolio("id")
  })

  return (reach, { externalId, q, updatedAfter, ...rest }, page) => {
    const { organisationId, portfolioIds } = reachParts(reach)
    allConditionsRead(rest)
    const leading = [equal("external_id", "text", externalId)]
    const others = [afterInstant(updatedAfter)]
    return list({ organisationId, portfolioIds, q, leading, others, page }, { organisationId })
  }
}

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
