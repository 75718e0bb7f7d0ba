/**
 * Lists of documents.
 */
import { allConditionsRead, type DocumentRepository } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { documentTable, isCurrent } from "../tables/DocumentTable.ts"
import { afterInstant, byName, byUpdate, equal, type PgCondition } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"

export const makeDocumentList = (client: PgClient["Service"]): DocumentRepository["Service"]["list"] => {
  const list = pages(client, {
    operation: "DocumentRepository.list",
    table: documentTable,
    from: sql`${table("document")} x`,
    orders: {
      updatedAt: byUpdate,
      filename: byName,
      validUntil: { sql: "x.valid_until", parameter: (value) => `${value}::date`, isNullable: true }
    }
  })

  return (organisationId, conditions, page) => {
    const { current, documentType, omRecordId, portfolioId, q, siteId, status, type, ...others } = conditions
    const { updatedAfter, validUntilBefore, ...rest } = others
    allConditionsRead(rest)
    const leading: ReadonlyArray<PgCondition> = [
      equal("om_record_id", "text", omRecordId),
      equal("site_id", "uuid", siteId),
      {
        value: portfolioId,
        type: "uuid",
        sql: (value) => sql`x.site_id in (
          select s.id from ${table("site")} s where s.organisation_id = $1::uuid and s.portfolio_id = ${value}
        )`,
        isSorted: true
      },
      { value: validUntilBefore, type: "date", sql: (value) => `x.valid_until < ${value}`, isSorted: true },
      afterInstant(updatedAfter)
    ]
    const filters: ReadonlyArray<PgCondition> = [
      equal("type", "text", type),
      equal("document_type", "text", documentType),
      equal("status", "text", status),
      { value: current, type: "boolean", sql: (value) => `${isCurrent("x")} = ${value}` }
    ]
    return list({ organisationId, q, leading, others: filters, page }, { organisationId })
  }
}
