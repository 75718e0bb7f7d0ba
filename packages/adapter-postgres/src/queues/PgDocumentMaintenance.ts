/**
 * Finds the work of the sweeper and of the announcer of validity in the tables `document` and `deleted_file`. Rows
 * that another instance is claiming are skipped.
 */
import {
  DocumentMaintenance,
  documentClaiming,
  type EndingDocument,
  type OrganisationId,
  type Records,
  type StorageKey,
  takePage
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { listingAcross, reading, writing } from "../client/PgJsonStatement.ts"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentTable, isCurrent } from "../tables/DocumentTable.ts"
import { fromSeconds, instant, lowestUuid, seconds, toMilliseconds } from "../tables/SqlValues.ts"
import { ownersIn } from "./Owners.ts"

interface PendingRow {
  readonly document: DocumentRow
  readonly addressExpiresAt: number
}

/** SQL of the current documents `d` without an announcement of their last day by this event, which an index has. */
const unannounced = (event: "expiring" | "expired", columns: string): PgText => sql`
  select ${columns} from ${table("document")} d
  where ${isCurrent("d")} and d.${event}_announced is distinct from d.valid_until`

/** The first day that a document can have. */
const firstDay = "0001-01-01"

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
    ),

    // Reads each index once per organisation, not once per document.
    findEnding: listingAcross<OrganisationId>(
      client,
      "DocumentMaintenance.findEnding",
      sql`with recursive ${ownersIn("owner", sql`(${unannounced("expired", "d.*")})`, "valid_until", "$2::uuid")}
       ${mainQuery} select '0', to_json(o.organisation_id)::text from owner o cross join lateral (
         select where o.least < $3::date
         union all
         (${unannounced("expiring", "")} and d.organisation_id = o.organisation_id
            and d.valid_until >= $3::date
            and d.valid_until <= $3::date + greatest($4::int, (
              select max(r.expiring_within_days) from ${table("requirement")} r
              where r.organisation_id = o.organisation_id
            ))
          limit 1)
         limit 1
       ) ending
       limit $1::int`
    ),

    // The type of a document is in the index: one that ends too late for its type costs an entry, not a row.
    listEnding: reading<ReadonlyArray<EndingDocument>>(
      client,
      "DocumentMaintenance.listEnding",
      sql`with ending as (
         (${unannounced("expired", "d.valid_until, d.id")} and d.organisation_id = $1::uuid
            and d.valid_until < $2::date and (d.valid_until, d.id) > ($6::date, $7::uuid)
          order by d.valid_until, d.id limit $8::int)
         union all
         (${unannounced("expiring", "d.valid_until, d.id")} and d.organisation_id = $1::uuid
            and d.valid_until >= $2::date and d.valid_until <= $3::date and (d.valid_until, d.id) > ($6::date, $7::uuid)
            and d.valid_until <= coalesce(($5::text::json ->> d.document_type)::date, $4::date)
          order by d.valid_until, d.id limit $8::int)
       )
       ${mainQuery} select json_agg(json_build_object(
         'id', d.id, 'documentType', d.document_type, 'portfolioId', s.portfolio_id,
         'validFrom', d.valid_from, 'validUntil', d.valid_until
       ) order by d.valid_until, d.id)::text
       from (select id from ending order by valid_until, id limit $8::int) e
         join ${table("document")} d on d.organisation_id = $1::uuid and d.id = e.id
         left join ${table("site")} s on s.organisation_id = $1::uuid and s.id = d.site_id`
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

      forgetDeleted,

      findEnding: ({ after, limit, notice, today }) => sql.findEnding(limit, after ?? lowestUuid, today, notice),

      listEnding: (organisationId, { today, until, untilOf }, { after, limit }) => {
        const { id, validUntil } = after ?? { id: lowestUuid, validUntil: firstDay }
        const last = [until, ...Object.values(untilOf)].sort().at(-1) ?? until
        const days = [today, last, until, JSON.stringify(untilOf)]
        return Effect.map(sql.listEnding(organisationId, ...days, validUntil, id, limit + 1), (items) =>
          takePage(items ?? [], limit)
        )
      }
    })
  })
)
