/**
 * Lists of sites.
 */
import { allConditionsRead, type SiteRepository } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { isShownAsStored, siteTable } from "../tables/SiteTable.ts"
import { afterInstant, arrayText, byName, byUpdate, equal } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"

export const makeSiteList = (client: PgClient["Service"]): SiteRepository["Service"]["list"] => {
  const list = pages(client, {
    operation: "SiteRepository.list",
    table: siteTable,
    from: sql`${table("site")} x`,
    orders: {
      updatedAt: byUpdate,
      siteName: byName,
      capacityKw: { sql: "x.capacity_kw::float8", parameter: (value) => `${value}::float8` }
    },
    searchOrders: ["siteName"],
    parts: ["octet_length(x.search) <= 2500", "octet_length(x.search) > 2500"],
    isShownAsStored
  })

  return (organisationId, conditions, page) => {
    const { externalId, portfolioId, q, siteId, tag = [], unit, updatedAfter, ...rest } = conditions
    allConditionsRead(rest)
    const leading = [
      equal("id", "uuid", siteId),
      equal("external_id", "text", externalId),
      equal("portfolio_id", "uuid", portfolioId)
    ]
    const others = [
      {
        value: tag.length === 0 ? undefined : arrayText(tag),
        type: "text::text[]",
        sql: (value: string) => `x.tags @> ${value}`,
        isSorted: true as const
      },
      equal("unit", "text", unit),
      afterInstant(updatedAfter)
    ]
    return list({ organisationId, q, leading, others, page }, { organisationId })
  }
}
