/**
 * Keeps portfolios in the table `portfolio`.
 */
import { allConditionsRead, PortfolioRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { makeMembership } from "../records/PgPortfolioMembership.ts"
import { portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { afterInstant, byName, byUpdate, equal } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"
import { makeListWithSites } from "./PgPortfolioSlices.ts"

const makePortfolioList = (client: PgClient["Service"]): PortfolioRepository["Service"]["list"] => {
  const list = pages(client, {
    operation: "PortfolioRepository.list",
    table: portfolioTable,
    from: sql`(${withTotals()}) x`,
    idsFrom: sql`${table("portfolio")} x`,
    orders: { updatedAt: byUpdate, name: byName }
  })

  return (organisationId, { externalId, q, updatedAfter, ...rest }, page) => {
    allConditionsRead(rest)
    const leading = [equal("external_id", "text", externalId)]
    return list({ organisationId, q, leading, others: [afterInstant(updatedAfter)], page }, { organisationId })
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
