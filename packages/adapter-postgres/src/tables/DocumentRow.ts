/**
 * How a document stands in its table, and how it comes out of it.
 */
import { Document, makeUnchecked } from "@solar-sites/core"
import { fromSeconds, toMilliseconds } from "../repositories/PgJsonStatement.ts"

/** A document as `documentColumns` gives it in JSON; instants are seconds since 1970. */
export type DocumentRow = Omit<Pick<Document, keyof Document>, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}

/** Where the file of the document named by `from` lies: it follows from the ids. */
export const documentPath = (from: string): string =>
  `concat_ws('/', ${from}.organisation_id, ${from}.site_id, ${from}.id)`

/** The columns of a document under the names of the model, from the table or row named by `from`. */
export const documentColumns = (from: string): string => `
  ${from}.id, ${from}.organisation_id as "organisationId", ${from}.site_id as "siteId", ${from}.type,
  ${from}.document_type as "documentType", ${from}.filename, ${documentPath(from)} as path, ${from}.status,
  ${from}.mime_type as "mimeType", ${from}.size_bytes as "sizeBytes", ${from}.uploaded_by as "uploadedBy",
  ${from}.om_record_id as "omRecordId", ${from}.failure_reason as "failureReason",
  date_part('epoch', ${from}.created_at) as "createdAt", date_part('epoch', ${from}.updated_at) as "updatedAt",
  ${from}.version`

/** What is stored was checked on its way in, so that it is not checked again. */
export const toDocument = (row: DocumentRow): Document =>
  makeUnchecked(Document, { ...row, createdAt: fromSeconds(row.createdAt), updatedAt: fromSeconds(row.updatedAt) })

/** The rows of new documents, for `jsonb_to_recordset` with the types of `recordColumns`. */
export const documentRecords = (documents: ReadonlyArray<Document>): string =>
  JSON.stringify(
    documents.map((document) => ({
      id: document.id,
      type: document.type,
      document_type: document.documentType,
      filename: document.filename,
      status: document.status,
      mime_type: document.mimeType,
      size_bytes: document.sizeBytes,
      uploaded_by: document.uploadedBy,
      om_record_id: document.omRecordId,
      failure_reason: document.failureReason,
      created: toMilliseconds(document.createdAt),
      updated: toMilliseconds(document.updatedAt),
      version: document.version
    }))
  )

export const recordColumns = `id uuid, type text, document_type text, filename text, status text, mime_type text,
  size_bytes bigint, uploaded_by text, om_record_id text, failure_reason text, created float8, updated float8,
  version integer`
