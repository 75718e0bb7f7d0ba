/**
 * Lists documents of the table `document`, and their chains of revisions, newest first.
 */
import { allConditionsRead, DocumentRepository, reachParts } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { textOf } from "../client/PgJsonStatement.ts"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { documentTable, isCurrent } from "../tables/DocumentTable.ts"
import { pageFromText, pageText } from "../tables/PageText.ts"
import { uuidsIn } from "../tables/SqlValues.ts"
import { afterInstant, byName, byUpdate, equal, type PgCondition, reachParameter } from "./PgConditions.ts"
import { pages } from "./PgPages.ts"

const makeDocumentList = (client: PgClient["Service"]): DocumentRepository["Service"]["list"] => {
  const list = pages(client, {
    operation: "DocumentRepository.list",
    table: documentTable,
    from: sql`${table("document")} x`,
    reached: {
      column: "site_id",
      // The server takes an array for few rows, and then compiles nothing, which takes longer than all else.
      ids: (portfolioIds) => sql`
        select r.id from unnest(array(
          select s.id from ${table("site")} s
          where s.organisation_id = $1::uuid and s.portfolio_id = any (${portfolioIds})
        )) as r (id)`
    },
    orders: {
      updatedAt: byUpdate,
      filename: byName,
      validUntil: { sql: "x.valid_until", parameter: (value) => `${value}::date`, isNullable: true }
    }
  })

  return (reach, conditions, page) => {
    const { organisationId, portfolioIds } = reachParts(reach)
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
      afterInstant(updatedAfter),
      { ...equal("status", "text", status), isSorted: true }
    ]
    const filters: ReadonlyArray<PgCondition> = [
      equal("type", "text", type),
      equal("document_type", "text", documentType),
      { value: current, type: "boolean", sql: (value) => `${isCurrent("x")} = ${value}` }
    ]
    return list({ organisationId, portfolioIds, q, leading, others: filters, page }, { organisationId })
  }
}

// A chain is one of documents of one site.
const isOfSiteWithin = sql`($4::text is null or d.site_id in (
    select s.id from ${table("site")} s where s.organisation_id = $1::uuid and s.portfolio_id = any (${uuidsIn("$4::text")})
  ))`

// `union` drops rows that it has seen, so that no chain is walked forever.
const up = sql`up as (
  select d.id, d.replaces, d.replaced_by from ${table("document")} d
  where d.organisation_id = $1::uuid and d.id = $3::uuid and ${isOfSiteWithin}
  union
  select n.id, n.replaces, n.replaced_by from up u
  join ${table("document")} n on n.organisation_id = $1::uuid and n.id = u.replaced_by
)`

const down = (first: PgText | string): PgText => sql`down (place, id, replaces) as (
  select 1, d.id, d.replaces from ${first}
  union all
  select w.place + 1, n.id, n.replaces from down w
  join ${table("document")} n on n.organisation_id = $1::uuid and n.id = w.replaces
  where w.place < $2::int
)
${mainQuery} ${pageText(
  documentTable,
  sql`select r.* from down w join ${table("document")} r on r.organisation_id = $1::uuid and r.id = w.id order by w.place`
)}`

const following = sql`${table("document")} a
  join ${table("document")} d on d.organisation_id = $1::uuid and d.id = a.replaces
  where a.organisation_id = $1::uuid and a.id = $3::uuid and ${isOfSiteWithin}`

const firstText = sql`with recursive ${up}, ${down("up d where d.replaced_by is null")}`
const nextText = sql`with recursive ${down(following)}`

const makeRevisionList = ({ run }: PgClient["Service"]): DocumentRepository["Service"]["listRevisions"] => {
  return (reach, documentId, { after, limit }) => {
    const { organisationId, portfolioIds } = reachParts(reach)
    const statement = {
      operation: "DocumentRepository.listRevisions",
      text: after === null ? firstText : nextText,
      // One more than the page holds shows whether more follow.
      parameters: [organisationId, limit + 1, after ?? documentId, reachParameter(reach)],
      readOnly: true,
      scope: { organisationId, portfolioIds }
    }
    return Effect.map(run(statement), (rows) =>
      pageFromText(textOf(rows), { table: documentTable, given: { organisationId }, limit })
    )
  }
}

export const layer: Layer.Layer<DocumentRepository, never, PgClient> = Layer.effect(
  DocumentRepository,
  Effect.map(PgClient, (client) =>
    DocumentRepository.of({ list: makeDocumentList(client), listRevisions: makeRevisionList(client) })
  )
)
