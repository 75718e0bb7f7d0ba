/**
 * Finds the work of the sweeper in the tables `document` and `deleted_file`. Rows that another
 * instance is claiming are skipped.
 */
import {
  DocumentMaintenance,
  documentClaiming,
  type OrganisationId,
  type Records,
  type StorageKey
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { listingAcross, writing } from "../client/PgJsonStatement.ts"
import { mainQuery, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentTable } from "../tables/DocumentTable.ts"
import { fromSeconds, instant, seconds, toMilliseconds } from "../tables/SqlValues.ts"
import { ownersIn } from "./Owners.ts"

interface PendingRow {
  readonly document: DocumentRow
  readonly addressExpiresAt: number
}

const statements = (client: PgClient["Service"]) => {
  return {
    // Reads each index once per organisation, not once per row.
    findDue: listingAcross<OrganisationId>(
      client,
      "DocumentMaintenance.findDue",
      sql`with recursive ${ownersIn("pending", table("document"), "look_at")},
       ${ownersIn("deleted", table("deleted_file"), "due_at")}
       ${mainQuery} select ${seconds("min(least)")}::text, to_json(organisation_id)::text
       from (select * from pending union all select * from deleted) y
       where least <= ${instant("$2")}
       group by organisation_id
       order by min(least), organisation_id
       limit $1::int`
    ),

    claimPending: writing<ReadonlyArray<PendingRow>>(
      client,
      "DocumentMaintenance.claimPending",
      sql`with due as materialized (
         select d.id, d.look_at from ${table("document")} d
         where d.organisation_id = $1::uuid and d.look_at <= ${instant("$2")}
         order by d.look_at
         limit $4::int
         for no key update skip locked
       ), claimed as (
         update ${table("document")} d set look_at = ${instant("$3")} from due l
         where d.organisation_id = $1::uuid and d.id = l.id
         returning d.*, l.look_at as due_at
       )
       ${mainQuery} select json_agg(json_build_object(
         'document', ${documentTable.row("d")}::json, 'addressExpiresAt', ${seconds("d.address_expires_at")}
       ) order by d.due_at, d.id)::text
       from claimed d`
    ),

    claimDeleted: writing<ReadonlyArray<StorageKey>>(
      client,
      "DocumentMaintenance.claimDeleted",
      sql`with due as materialized (
         select f.site_id, f.document_id, f.due_at from ${table("deleted_file")} f
         where f.organisation_id = $1::uuid and f.due_at <= ${instant("$2")}
           and (f.claimed_until is null or f.claimed_until <= ${instant("$2")})
         order by f.due_at
         limit $4::int
         for no key update skip locked
       ), claimed as (
         update ${table("deleted_file")} f set due_at = ${instant("$3")}, claimed_until = ${instant("$3")} from due l
         where f.organisation_id = $1::uuid and f.site_id = l.site_id and f.document_id = l.document_id
         returning f.*, l.due_at as was_due_at
       )
       ${mainQuery} select json_agg(
         concat_ws('/', f.organisation_id, f.site_id, f.document_id) order by f.was_due_at, f.document_id
       )::text
       from claimed f`
    )
  }
}

export const layer: Layer.Layer<DocumentMaintenance, never, PgClient | Records> = Layer.effect(
  DocumentMaintenance,
  Effect.gen(function* () {
    const sql = statements(yield* PgClient)
    const { forgetDeleted } = yield* documentClaiming

    return DocumentMaintenance.of({
      findDue: ({ limit, now }) => sql.findDue(limit, toMilliseconds(now)),

      claimPending: (organisationId, { dueAgainAt, limit, now }) =>
        Effect.map(sql.claimPending(organisationId, toMilliseconds(now), toMilliseconds(dueAgainAt), limit), (rows) => {
          const read = documentTable.reader({ organisationId })
          return (rows ?? []).map(({ addressExpiresAt, document }) => ({
            document: read(document),
            addressExpiresAt: fromSeconds(addressExpiresAt)
          }))
        }),

      claimDeleted: (organisationId, { dueAgainAt, limit, now }) =>
        Effect.map(
          sql.claimDeleted(organisationId, toMilliseconds(now), toMilliseconds(dueAgainAt), limit),
          (keys) => keys ?? []
        ),

      forgetDeleted
    })
  })
)
