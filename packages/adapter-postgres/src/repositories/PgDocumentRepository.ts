/**
 * Keeps documents in the table `document`.
 *
 * @since 0.1.0
 */
import { allConditionsRead, type DocumentId, DocumentRepository, FileNotDeleted, SiteNotFound } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { type DocumentRow, documentColumns, documentRecords, recordColumns, toDocument } from "../tables/DocumentRow.ts"
import { pageOf, pages } from "../tables/PgPage.ts"
import { makeChanges, pendingMaximum, tooManyPending } from "./PgDocumentChanges.ts"
import { inOrderOf, orAsItIs, reading, toMilliseconds, writing } from "./PgJsonStatement.ts"

/** Raised by a trigger of the table. */
const pathListed = "document_file_deleted"

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const ofOrganisation = `select ${documentColumns("d")} from ${schema}.document d where d.organisation_id = $1::uuid`
  // Conditions that may be absent follow those that an index serves.
  const filtered = `${ofOrganisation} and ($2::text is null or d.type = $2::text)
    and ($3::text is null or d.document_type = $3::text) and ($4::text is null or d.status = $4::text)`
  const list = (count: number, conditions: string) =>
    pages<DocumentRow>(client, "DocumentRepository.list", "d.id", count, (rest) => `${filtered} ${conditions} ${rest}`)

  return {
    // Locked, the site is there until the documents are; who deletes it meanwhile waits, and its cascade
    // sees them then. Who finds it being deleted waits in turn, and finds nothing.
    insertMany: writing<ReadonlyArray<DocumentRow>>(
      client,
      "DocumentRepository.insertMany",
      `with place as materialized (
         select s.id from ${schema}.site s where s.organisation_id = $1::uuid and s.id = $2::uuid for key share
       ), deleted as (
         delete from ${schema}.deleted_file f using place p, jsonb_to_recordset($3::text::jsonb) as r (id uuid)
         where f.organisation_id = $1::uuid and f.site_id = p.id and f.document_id = r.id
           and $5::float8 is not null and f.claimed_until = to_timestamp($5::float8 / 1000)
       ), stored as (
         insert into ${schema}.document as d (
           organisation_id, site_id, id, type, document_type, filename, status, mime_type, size_bytes, declared_bytes,
           uploaded_by, om_record_id, failure_reason, created_at, updated_at, version, address_expires_at, look_at
         )
         select $1::uuid, p.id, r.id, r.type, r.document_type, r.filename, r.status, r.mime_type, r.size_bytes,
                r.size_bytes, r.uploaded_by, r.om_record_id, r.failure_reason, to_timestamp(r.created / 1000),
                to_timestamp(r.updated / 1000), r.version, to_timestamp($4::float8 / 1000),
                case r.status when 'pending' then to_timestamp($4::float8 / 1000) end
         from place p cross join jsonb_to_recordset($3::text::jsonb) as r (${recordColumns})
         order by r.id
         ${orAsItIs("d")}
         returning d.*
       )
       select coalesce((select json_agg(x) from (select ${documentColumns("d")} from stored d) x), '[]')::text from place`
    ),

    findById: reading<DocumentRow>(
      client,
      "DocumentRepository.findById",
      `select to_json(x)::text from (${ofOrganisation} and d.id = $2::uuid) x`
    ),

    findExisting: reading<ReadonlyArray<DocumentId>>(
      client,
      "DocumentRepository.findExisting",
      `select json_agg(d.id)::text from ${schema}.document d
       where d.organisation_id = $1::uuid and d.id = any ($2::text::uuid[])`
    ),

    all: list(4, ""),
    ofSite: list(5, "and d.site_id = $5::uuid"),
    ofOmRecord: list(6, "and d.om_record_id = $5::text and ($6::uuid is null or d.site_id = $6::uuid)")
  }
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<DocumentRepository, never, PgClient> = Layer.effect(
  DocumentRepository,
  Effect.map(PgClient, (client) => {
    const sql = statements(client)

    const insertMany: DocumentRepository["Service"]["insertMany"] = Effect.fnUntraced(
      function* (organisationId, siteId, documents, addressExpiresAt, claimedUntil) {
        const records = documentRecords(documents)
        const expiresAt = toMilliseconds(addressExpiresAt)
        const claim = claimedUntil === undefined ? null : toMilliseconds(claimedUntil)
        const found = yield* sql.insertMany(organisationId, siteId, records, expiresAt, claim).pipe(
          Effect.catchIf(violates(pendingMaximum), tooManyPending),
          Effect.catchTag("RepositoryError", (error) =>
            Effect.fail(violates(pathListed)(error) ? new FileNotDeleted() : error)
          )
        )
        if (found === null) return yield* new SiteNotFound({ siteIds: [siteId] })
        return inOrderOf(documents, found, toDocument)
      }
    )

    const list: DocumentRepository["Service"]["list"] = (organisationId, conditions, page) => {
      const { documentType = null, omRecordId, siteId, status = null, type = null, ...rest } = conditions
      allConditionsRead(rest)
      const rows =
        omRecordId !== undefined
          ? sql.ofOmRecord(page, organisationId, type, documentType, status, omRecordId, siteId ?? null)
          : siteId !== undefined
            ? sql.ofSite(page, organisationId, type, documentType, status, siteId)
            : sql.all(page, organisationId, type, documentType, status)
      return Effect.map(rows, (found) => pageOf(found, page.limit, toDocument))
    }

    return DocumentRepository.of({
      insertMany,
      findById: (organisationId, documentId) =>
        Effect.map(sql.findById(organisationId, documentId), (row) => Option.map(Option.fromNullOr(row), toDocument)),
      findExisting: (organisationId, documentIds) =>
        Effect.map(sql.findExisting(organisationId, `{${documentIds.join(",")}}`), (found) => new Set(found)),
      list,
      ...makeChanges(client)
    })
  })
)
