/**
 * Lists of portfolios.
 */
import { allConditionsRead, type PortfolioRepository } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { afterInstant, byName, byUpdate, equal } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"

export const makePortfolioList = (client: PgClient["Service"]): PortfolioRepository["Service"]["list"] => {
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
