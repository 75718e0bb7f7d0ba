/**
 * Reads chains of revisions, newest first.
 */
import type { DocumentRepository } from "@solar-sites/core"
import { Effect } from "effect"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { documentTable } from "../tables/DocumentTable.ts"
import { pageFromText, pageText } from "../tables/PageText.ts"
import { textOf } from "./PgJsonStatement.ts"

// `union` drops rows that it has seen, so that no chain is walked forever.
const up = sql`up as (
  select d.id, d.replaces, d.replaced_by from ${table("document")} d
  where d.organisation_id = $1::uuid and d.id = $3::uuid
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
  where a.organisation_id = $1::uuid and a.id = $3::uuid`

const firstText = sql`with recursive ${up}, ${down("up d where d.replaced_by is null")}`
const nextText = sql`with recursive ${down(following)}`

export const makeRevisions = ({ run }: PgClient["Service"]): Pick<DocumentRepository["Service"], "listRevisions"> => {
  return {
    listRevisions: (organisationId, documentId, { after, limit }) => {
      const statement = {
        operation: "DocumentRepository.listRevisions",
        text: after === null ? firstText : nextText,
        // One more than the page holds shows whether more follow.
        parameters: [organisationId, limit + 1, after ?? documentId],
        readOnly: true,
        scope: { organisationId }
      }
      return Effect.map(run(statement), (rows) =>
        pageFromText(textOf(rows), { table: documentTable, given: { organisationId }, limit })
      )
    }
  }
}
