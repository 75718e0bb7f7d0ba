/**
 * Documents of the hand-written server: upload requests, and the states of arrived files.
 */
import { type Origin, requestedEvents } from "../common/events.ts"
import { checkDocuments } from "../common/pending.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import type { UploadRecords } from "../common/store.ts"
import type { Database } from "./database.ts"
import { originParameters, writeEvents } from "./events.ts"

const schema = `"${settings.schema}"`

// The function counts pending documents. It runs after the lock, and sees what was committed before.
const insert = `
  with input as (
    select * from json_to_recordset($9::json) as r (
      id uuid, type text, "documentType" text, filename text, "mimeType" text, "sizeBytes" bigint, "omRecordId" text,
      changes json
    )
  ), changed as (
    insert into ${schema}.document (
      organisation_id, id, site_id, type, document_type, filename, status, mime_type, size_bytes, declared_bytes,
      uploaded_by, om_record_id, created_at, updated_at, version, address_expires_at, look_at
    )
    select $1::uuid, r.id, $8::uuid, r.type, r."documentType", r.filename, 'pending', r."mimeType", r."sizeBytes",
           r."sizeBytes", $3::text, r."omRecordId", $2::timestamptz, $2::timestamptz, 1, $10::timestamptz,
           $10::timestamptz
    from input r
    returning id, filename, site_id
  ), ${writeEvents({
    type: "document.requested",
    name: "c.filename",
    siteId: "c.site_id",
    changes: "(select r.changes from input r where r.id = c.id)"
  })}
  select ${checkDocuments}, $1::uuid, array(select id from changed)) from numbered`

const columns = `
  d.id, d.organisation_id as "organisationId", d.site_id as "siteId", d.type, d.document_type as "documentType",
  d.filename, concat_ws('/', d.organisation_id, d.site_id, d.id) as path, d.status, d.mime_type as "mimeType",
  d.size_bytes::float8 as "sizeBytes", d.uploaded_by as "uploadedBy", d.om_record_id as "omRecordId",
  d.failure_reason as "failureReason", d.created_at as "createdAt", d.updated_at as "updatedAt", d.version, d.note,
  d.valid_from::text as "validFrom", d.valid_until::text as "validUntil", d.replaces, d.replaced_by as "replacedBy"`

const find = `select ${columns} from ${schema}.document d where d.organisation_id = $1 and d.id = $2`

/** The state before each state that a caller can set here. */
const stateBefore = { approved: "uploaded", completed: "approved" } as const
export type Step = keyof typeof stateBefore

const step = (to: Step) => `
  with changed as (
    update ${schema}.document d
    set status = '${to}', updated_at = $2::timestamptz, version = d.version + 1
    where d.organisation_id = $1::uuid and d.id = $8::uuid and d.status = '${stateBefore[to]}'
    returning d.*
  ), ${writeEvents({
    type: `document.${to}`,
    name: "c.filename",
    siteId: "c.site_id",
    changes: `'${JSON.stringify({ status: { from: stateBefore[to], to } })}'::json`
  })}
  select ${columns} from changed d`

interface Document {
  readonly status: string
  readonly version: number
}

export const documentStore = ({ run }: Database) => ({
  insertDocuments: async (origin: Origin, { documents, expiresAt, siteId }: UploadRecords) => {
    const events = requestedEvents(siteId, documents)
    const rows = documents.map((document, index) => ({ ...document, changes: events[index]?.changes }))
    await run(insert, [...originParameters(origin), siteId, rows, expiresAt])
  },

  /** A state that is reached already changes nothing. */
  setStatus: async (origin: Origin, id: string, to: Step): Promise<Document> => {
    const [changed] = await run<Document>(step(to), [...originParameters(origin), id])
    if (changed !== undefined) return changed
    const [stored] = await run<Document>(find, [origin.organisationId, id])
    if (stored === undefined) throw new Problem("document_not_found")
    if (stored.status !== to) throw new Problem("invalid_transition")
    return stored
  }
})
