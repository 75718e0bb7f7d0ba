/**
 * Finds what the sweeper is to do in the tables `document` and `deleted_file`.
 * What another instance is claiming is passed over, never waited for.
 *
 * @since 0.1.0
 */
import { DocumentMaintenance, parseStorageKey, type StorageKey } from "@solar-sites/core"
import { Duration, Effect, Layer, Option } from "effect"
import { type DocumentRow, documentColumns, toDocument } from "./DocumentRow.ts"
import { PgClient } from "./PgClient.ts"
import { fromSeconds, toMilliseconds, writing } from "./PgStatement.ts"

interface PendingRow {
  readonly document: DocumentRow
  readonly addressExpiresAt: number
}

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const instant = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`

  return {
    claimPending: writing<ReadonlyArray<PendingRow>>(
      client,
      "DocumentMaintenance.claimPending",
      `with due as materialized (
         select d.organisation_id, d.id, d.look_at from ${schema}.document d
         where d.look_at <= ${instant("$1")}
         order by d.look_at
         limit $3::int
         for no key update skip locked
       ), claimed as (
         update ${schema}.document d set look_at = ${instant("$2")} from due l
         where d.organisation_id = l.organisation_id and d.id = l.id
         returning d.*, l.look_at as due_at
       )
       select json_agg(json_build_object(
         'document', (select to_json(x) from (select ${documentColumns("d")}) x),
         'addressExpiresAt', date_part('epoch', d.address_expires_at)
       ) order by d.due_at, d.id)::text
       from claimed d`
    ),

    claimDeleted: writing<ReadonlyArray<StorageKey>>(
      client,
      "DocumentMaintenance.claimDeleted",
      `with due as materialized (
         select f.organisation_id, f.site_id, f.document_id, f.due_at from ${schema}.deleted_file f
         where f.due_at <= ${instant("$1")}
         order by f.due_at
         limit $3::int
         for no key update skip locked
       ), claimed as (
         update ${schema}.deleted_file f set due_at = ${instant("$2")} from due l
         where f.organisation_id = l.organisation_id and f.site_id = l.site_id and f.document_id = l.document_id
         returning f.*, l.due_at as was_due_at
       )
       select json_agg(
         concat_ws('/', f.organisation_id, f.site_id, f.document_id) order by f.was_due_at, f.document_id
       )::text
       from claimed f`
    ),

    // Locked in one order, so that no two instances wait for each other.
    forgetDeleted: writing(
      client,
      "DocumentMaintenance.forgetDeleted",
      `with asked as materialized (
         select distinct r.organisation_id, r.site_id, r.document_id from jsonb_to_recordset($1::text::jsonb)
           as r (organisation_id uuid, site_id uuid, document_id uuid)
       ), locked as materialized (
         select f.organisation_id, f.site_id, f.document_id,
                f.address_expires_at + $3::float8 * interval '1 millisecond' as ends_at
         from ${schema}.deleted_file f
         where (f.organisation_id, f.site_id, f.document_id) in (select * from asked)
         order by f.organisation_id, f.site_id, f.document_id
         for update of f
       ), kept as (
         update ${schema}.deleted_file f set due_at = l.ends_at from locked l
         where f.organisation_id = l.organisation_id and f.site_id = l.site_id and f.document_id = l.document_id
           and l.ends_at > ${instant("$2")}
       )
       delete from ${schema}.deleted_file f using locked l
       where f.organisation_id = l.organisation_id and f.site_id = l.site_id and f.document_id = l.document_id
         and l.ends_at <= ${instant("$2")}`
    )
  }
}

const recordsOf = (keys: ReadonlyArray<StorageKey>) =>
  keys.flatMap((key) =>
    Option.match(parseStorageKey(key), {
      onNone: () => [],
      onSome: ({ documentId, organisationId, siteId }) => [
        { organisation_id: organisationId, site_id: siteId, document_id: documentId }
      ]
    })
  )

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<DocumentMaintenance, never, PgClient> = Layer.effect(
  DocumentMaintenance,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)

    return DocumentMaintenance.of({
      claimPending: ({ again, limit, now }) =>
        Effect.map(sql.claimPending(toMilliseconds(now), toMilliseconds(again), limit), (rows) =>
          (rows ?? []).map(({ addressExpiresAt, document }) => ({
            document: toDocument(document),
            addressExpiresAt: fromSeconds(addressExpiresAt)
          }))
        ),

      claimDeleted: ({ again, limit, now }) =>
        Effect.map(sql.claimDeleted(toMilliseconds(now), toMilliseconds(again), limit), (keys) => keys ?? []),

      forgetDeleted: (keys, { now, uploadsEndAfter }) =>
        Effect.asVoid(
          sql.forgetDeleted(JSON.stringify(recordsOf(keys)), toMilliseconds(now), Duration.toMillis(uploadsEndAfter))
        )
    })
  })
)
