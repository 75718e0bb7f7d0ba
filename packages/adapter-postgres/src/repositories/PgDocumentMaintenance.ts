/**
 * Finds the work of the sweeper in the tables `document` and `deleted_file`. Rows that another
 * instance is claiming are skipped.
 */
import { DocumentMaintenance, type OrganisationId, parseStorageKey, type StorageKey } from "@solar-sites/core"
import { Duration, Effect, Layer, Option } from "effect"
import { mainChange, mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentTable } from "../tables/DocumentTable.ts"
import { fromSeconds, instant, lowestUuid, seconds, toMilliseconds } from "../tables/SqlValues.ts"
import { listingAcross, writing } from "./PgJsonStatement.ts"

interface PendingRow {
  readonly document: DocumentRow
  readonly addressExpiresAt: number
}

/**
 * A recursive common table expression: each organisation in the table with the first instant at
 * which one of its rows is due. It skips along the index from one organisation to the next.
 */
const firstOfEach = (name: string, table: PgText | string, dueAt: string): PgText => {
  const next = (after: string) => sql`
    select t.organisation_id, t.${dueAt} from ${table} t
    where t.${dueAt} is not null and t.organisation_id > ${after}
    order by t.organisation_id, t.${dueAt} limit 1`
  return sql`${name} (organisation_id, due_at) as (
    (${next(`'${lowestUuid}'::uuid`)})
    union all
    select n.* from ${name} p cross join lateral (${next("p.organisation_id")}) n
  )`
}

const statements = (client: PgClient["Service"]) => {
  return {
    // Reads each index once per organisation, not once per row.
    findDue: listingAcross<OrganisationId>(
      client,
      "DocumentMaintenance.findDue",
      sql`with recursive ${firstOfEach("pending", table("document"), "look_at")},
       ${firstOfEach("deleted", table("deleted_file"), "due_at")}
       ${mainQuery} select ${seconds("min(due_at)")}::text, to_json(organisation_id)::text
       from (select * from pending union all select * from deleted) y
       where due_at <= ${instant("$2")}
       group by organisation_id
       order by min(due_at), organisation_id
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

    // Rows are locked in one order, so that instances do not deadlock.
    forgetDeleted: writing(
      client,
      "DocumentMaintenance.forgetDeleted",
      sql`with input as materialized (
         select distinct r.site_id, r.document_id from jsonb_to_recordset($2::text::jsonb)
           as r (site_id uuid, document_id uuid)
       ), locked as materialized (
         select f.site_id, f.document_id,
                f.address_expires_at + $4::float8 * interval '1 millisecond' as ends_at
         from ${table("deleted_file")} f
         where f.organisation_id = $1::uuid and (f.site_id, f.document_id) in (select * from input)
           and f.claimed_until = ${instant("$5")}
         order by f.site_id, f.document_id
         for update of f
       ), kept as (
         update ${table("deleted_file")} f set due_at = l.ends_at, claimed_until = null from locked l
         where f.organisation_id = $1::uuid and f.site_id = l.site_id and f.document_id = l.document_id
           and l.ends_at > ${instant("$3")}
       )
       ${mainChange} delete from ${table("deleted_file")} f using locked l
       where f.organisation_id = $1::uuid and f.site_id = l.site_id and f.document_id = l.document_id
         and l.ends_at <= ${instant("$3")}`
    )
  }
}

const recordsOf = (owner: OrganisationId, keys: ReadonlyArray<StorageKey>) =>
  keys.flatMap((key) => {
    const parts = Option.getOrUndefined(parseStorageKey(key))
    return parts?.organisationId === owner ? [{ site_id: parts.siteId, document_id: parts.documentId }] : []
  })

export const layer: Layer.Layer<DocumentMaintenance, never, PgClient> = Layer.effect(
  DocumentMaintenance,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)

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

      forgetDeleted: (organisationId, keys, { claimedUntil, now, uploadsEndAfter }) =>
        Effect.asVoid(
          sql.forgetDeleted(
            organisationId,
            JSON.stringify(recordsOf(organisationId, keys)),
            toMilliseconds(now),
            Duration.toMillis(uploadsEndAfter),
            toMilliseconds(claimedUntil)
          )
        )
    })
  })
)
