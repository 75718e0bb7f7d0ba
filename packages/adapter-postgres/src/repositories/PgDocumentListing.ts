/**
 * Lists of documents.
 */
import { allConditionsRead, type DocumentRepository } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { documentTable, isCurrent } from "../tables/DocumentTable.ts"
import { afterInstant, byName, byUpdate, findPages, type PgCondition } from "./PgFinding.ts"
import { pages } from "./PgPage.ts"

export const makeDocumentList = (client: PgClient["Service"]): DocumentRepository["Service"]["list"] => {
  const operation = "DocumentRepository.list"
  const ofOrganisation = sql`from ${table("document")} d where d.organisation_id = $1::uuid`
  // Optional conditions follow those that an index serves.
  const filtered = sql`select d.* ${ofOrganisation} and ($2::text is null or d.type = $2::text)
    and ($3::text is null or d.document_type = $3::text) and ($4::text is null or d.status = $4::text)
    and ($5::boolean is null or $5::boolean = ${isCurrent("d")})`
  const list = (parameters: number, conditions: string) =>
    pages(client, {
      operation,
      table: documentTable,
      id: "d.id",
      parameters,
      select: (rest) => sql`${filtered} ${conditions} ${rest}`
    })
  const all = list(5, "")
  const ofSite = list(6, "and d.site_id = $6::uuid")
  const ofOmRecord = list(7, "and d.om_record_id = $6::text and ($7::uuid is null or d.site_id = $7::uuid)")

  const find = findPages(client, {
    operation,
    table: documentTable,
    from: table("document"),
    rows: (ids) =>
      sql`select r.* from ${ids} cross join lateral (select d.* ${ofOrganisation} and d.id = f.id offset 0) r`,
    orders: {
      createdAt: null,
      updatedAt: byUpdate,
      filename: byName,
      validUntil: { sql: "x.valid_until", parameter: (value) => `${value}::date`, isNullable: true }
    },
    searchOrders: [],
    parts: []
  })

  return (organisationId, conditions, page) => {
    const { current, documentType, omRecordId, portfolioId, q, siteId, status, type, ...others } = conditions
    const { updatedAfter, validUntilBefore, ...rest } = others
    allConditionsRead(rest)
    const given = { organisationId }
    const added: ReadonlyArray<PgCondition> = [
      {
        value: portfolioId,
        type: "uuid",
        sql: (value) => sql`x.site_id in (
          select s.id from ${table("site")} s where s.organisation_id = $1::uuid and s.portfolio_id = ${value}
        )`
      },
      { value: validUntilBefore, type: "date", sql: (value) => `x.valid_until < ${value}` },
      afterInstant(updatedAfter)
    ]
    if (page.sort !== undefined || q !== undefined || added.some(({ value }) => value !== undefined)) {
      const equal = (column: string, value: string | undefined): PgCondition => ({
        value,
        type: "text",
        sql: (given) => `x.${column} = ${given}`
      })
      const leading: ReadonlyArray<PgCondition> = [
        { value: siteId, type: "uuid", sql: (value) => `x.site_id = ${value}` },
        equal("om_record_id", omRecordId),
        ...added
      ]
      const filters: ReadonlyArray<PgCondition> = [
        equal("type", type),
        equal("document_type", documentType),
        equal("status", status),
        { value: current, type: "boolean", sql: (value) => `${isCurrent("x")} = ${value}` }
      ]
      return find({ organisationId, q, leading, others: filters, page }, given)
    }
    const parameters = [organisationId, type ?? null, documentType ?? null, status ?? null, current ?? null]
    if (omRecordId !== undefined) return ofOmRecord(page, given, ...parameters, omRecordId, siteId ?? null)
    return siteId === undefined ? all(page, given, ...parameters) : ofSite(page, given, ...parameters, siteId)
  }
}
