/**
 * Lists of portfolios.
 */
import { allConditionsRead, type PortfolioRepository } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { afterInstant, byName, byUpdate, findPages, type PgCondition } from "./PgFinding.ts"
import { pages } from "./PgPage.ts"

export const makePortfolioList = (client: PgClient["Service"]): PortfolioRepository["Service"]["list"] => {
  const operation = "PortfolioRepository.list"
  const ofOrganisation = sql`${withTotals()} where p.organisation_id = $1::uuid`
  const all = pages(client, {
    operation,
    table: portfolioTable,
    id: "p.id",
    parameters: 1,
    select: (rest) => sql`${ofOrganisation} ${rest}`
  })
  const find = findPages(client, {
    operation,
    table: portfolioTable,
    from: table("portfolio"),
    rows: (ids) => sql`select r.* from ${ids} cross join lateral (${ofOrganisation} and p.id = f.id offset 0) r`,
    orders: { createdAt: null, updatedAt: byUpdate, name: byName },
    searchOrders: [],
    parts: []
  })

  return (organisationId, { externalId, q, updatedAfter, ...rest }, page) => {
    allConditionsRead(rest)
    const given = { organisationId }
    if (page.sort === undefined && q === undefined && externalId === undefined && updatedAfter === undefined) {
      return all(page, given, organisationId)
    }
    const leading: ReadonlyArray<PgCondition> = [
      { value: externalId, type: "text", sql: (value) => `x.external_id = ${value}` }
    ]
    return find({ organisationId, q, leading, others: [afterInstant(updatedAfter)], page }, given)
  }
}
