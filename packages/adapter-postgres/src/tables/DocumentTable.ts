/**
 * The table `document`.
 */
import { Document, DocumentRecord, documentMembers, FileRecord, statesWithFile } from "@solar-sites/core"
import type { DateTime } from "effect"
import { bigint, boolean, type Column, computed, date, instant, integer, nullable, text, uuid } from "./Column.ts"
import { makeTable, type Row } from "./Table.ts"

/** SQL of the storage key of a document, which follows from the ids. */
const documentPath = (row: string): string => `concat_ws('/', ${row}.organisation_id, ${row}.site_id, ${row}.id)`

export const documentTable = makeTable(Document, ["organisationId"], {
  id: uuid("id"),
  siteId: uuid("site_id"),
  type: text("type"),
  documentType: nullable(text("document_type")),
  filename: text("filename"),
  path: computed(text, documentPath),
  status: text("status"),
  mimeType: text("mime_type"),
  sizeBytes: nullable(bigint("size_bytes")),
  uploadedBy: nullable(text("uploaded_by")),
  omRecordId: nullable(text("om_record_id")),
  failureReason: nullable(text("failure_reason")),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
  version: integer("version"),
  note: nullable(text("note")),
  validFrom: nullable(date("valid_from")),
  validUntil: nullable(date("valid_until")),
  replaces: nullable(uuid("replaces")),
  replacedBy: nullable(uuid("replaced_by"))
})

export type DocumentRow = Row<Document>

/** SQL condition: the document is current. */
export const isCurrent = (row: string): string =>
  `(${row}.replaced_by is null and ${row}.status in ('${statesWithFile.join("', '")}'))`

/** The table with the columns that no caller sees. */
export const documentRecordTable = makeTable(DocumentRecord, ["organisationId"], {
  ...documentTable.columns,
  declaredBytes: nullable(bigint("declared_bytes")),
  addressExpiresAt: instant("address_expires_at"),
  lookAt: nullable(instant("look_at")),
  refused: boolean("refused"),
  replacementRequests: integer("replacement_requests"),
  expiringAnnounced: nullable(date("expiring_announced")),
  expiredAnnounced: nullable(date("expired_announced"))
})

const atOnce = "'-infinity'::timestamptz"

/** An instant that is null for "at once", which the table orders first. */
const dueAt = (name: string): Column<DateTime.Utc | null> => {
  const column = nullable(instant(name))
  return {
    ...column,
    value: (row) => `nullif(${row}.${name}, ${atOnce})`,
    fromInput: (input) => `coalesce(${column.fromInput(input)}, ${atOnce})`
  }
}

/** The table `deleted_file`. */
export const fileTable = makeTable(FileRecord, ["organisationId"], {
  id: uuid("document_id"),
  siteId: uuid("site_id"),
  addressExpiresAt: instant("address_expires_at"),
  dueAt: dueAt("due_at"),
  claimedUntil: nullable(instant("claimed_until"))
})

/**
 * SQL of an event about a change of a document: its rows before and after, null for none. `members`
 * are those that the statement may change.
 */
export const documentEvent = (
  before: string | null,
  after: string | null,
  members: ReadonlyArray<(typeof documentMembers)[number]> = documentMembers
) => {
  const row = after ?? before
  return {
    subjectId: `${row}.id`,
    subjectName: `${row}.filename`,
    siteId: `${row}.site_id`,
    changes: documentTable.changes(members, before, after)
  }
}
