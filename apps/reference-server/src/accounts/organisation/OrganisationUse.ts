/**
 * Numbers of the records of an organisation, as the company profile shows them.
 */
import { mainQuery, PgClient, type PgText, sql, statement, table } from "@solar-sites/adapter-postgres"
import { type OrganisationId, type RepositoryError, statesWithFile } from "@solar-sites/core"
import { Clock, Context, Effect, Layer } from "effect"
import type { UseCounts } from "../../console/contract/OrganisationApi.ts"
import { instant } from "../SqlValues.ts"

type UseDocument = typeof UseCounts.Type

// They bound the work for large organisations: sizes are read from rows, counts from an index.
const maximumCounted = 1_000_000
const maximumMeasured = 100_000

/** Counts rows of one kind. With a column, since Citus materialises the subqueries. */
const counting =
  (organisationId: string) =>
  (name: string, condition = "true"): PgText =>
    sql`(select count(*) from (
      select 1 from ${table(name)}
      where organisation_id = ${organisationId}::uuid and ${condition} limit ${maximumCounted + 1}
    ) x)`

const readUse = (client: PgClient["Service"]) =>
  statement<UseDocument, { organisationId: OrganisationId; now: number }>(
    client,
    "OrganisationUse.read",
    ({ now, organisationId }) => {
      const count = counting(organisationId)
      return sql`with measured as (
         select count(*) as documents, coalesce(sum(d.size_bytes) filter (where d.is_stored), 0) as bytes
         from (
           select size_bytes, status in ('${statesWithFile.join("', '")}') as is_stored
           from ${table("document")} where organisation_id = ${organisationId}::uuid
           order by id limit ${maximumMeasured}
         ) d
       )
       ${mainQuery} select json_build_object(
         'sites', ${count("site")},
         'portfolios', ${count("portfolio")},
         'documents', ${count("document")},
         'measuredDocuments', m.documents,
         'bytes', m.bytes,
         'apiKeys', ${count("api_key", `expires_at > ${instant(now)}`)},
         'webhooks', ${count("webhook")},
         'users', ${count("console_user")}
       )::text from measured m`
    },
    { repeatable: true }
  )

export class OrganisationUse extends Context.Service<
  OrganisationUse,
  { readonly get: (organisationId: OrganisationId) => Effect.Effect<UseDocument | null, RepositoryError> }
>()("@solar-sites/reference-server/OrganisationUse") {
  static readonly layer: Layer.Layer<OrganisationUse, never, PgClient> = Layer.effect(
    OrganisationUse,
    Effect.map(PgClient, (client) => {
      const read = readUse(client)
      return OrganisationUse.of({
        get: (organisationId) => Effect.flatMap(Clock.currentTimeMillis, (now) => read({ organisationId, now }))
      })
    })
  )
}
