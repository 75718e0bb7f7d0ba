/**
 * Number and size of the stored files of an organisation, as the company profile shows them.
 */
import { mainQuery, PgClient, sql, statement, table } from "@solar-sites/adapter-postgres"
import { type OrganisationId, statesWithFile } from "@solar-sites/core"
import { Effect } from "effect"
import type { Use } from "../../console/contract/OrganisationApi.ts"

type UseDocument = typeof Use.Type

// They bound the work for large organisations: sizes are read from rows, counts from an index.
const maximumCounted = 1_000_000
const maximumMeasured = 100_000

/** Null without an answer. The counted subquery has a column, since Citus materialises it. */
export const organisationUse = Effect.map(PgClient, (client) =>
  statement<UseDocument, { organisationId: OrganisationId }>(
    client,
    "OrganisationUse.read",
    ({ organisationId }) => sql`with measured as (
         select count(*) as documents, coalesce(sum(d.size_bytes) filter (where d.is_stored), 0) as bytes
         from (
           select size_bytes, status in ('${statesWithFile.join("', '")}') as is_stored
           from ${table("document")} where organisation_id = ${organisationId}::uuid
           order by id limit ${maximumMeasured}
         ) d
       )
       ${mainQuery} select json_build_object(
         'documents', (select count(*) from (
           select 1 from ${table("document")}
           where organisation_id = ${organisationId}::uuid limit ${maximumCounted + 1}
         ) x),
         'measuredDocuments', m.documents,
         'bytes', m.bytes
       )::text from measured m`,
    { repeatable: true }
  )
)
