/**
 * Documents, and files to delete, as records.
 */
import { Schema } from "effect"
import { CalendarDate } from "../input/CalendarDate.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { eventAbout } from "../records/EventAbout.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { recordKind } from "../records/RecordKind.ts"
import { SiteId } from "../sites/Site.ts"
import { siteKind } from "../sites/SiteKind.ts"
import { Document, DocumentId, documentMembers, maximumPendingDocuments } from "./Document.ts"
import { isCurrent } from "./DocumentStates.ts"

/**
 * A document with the members that no caller sees: the size to restore by a new address, the expiry of
 * the last address, the time of the next verification (null unless pending), whether its file was refused,
 * a count of the changes after which other documents name this one in `replaces`, and the last days of validity
 * for which `document.expiring` and `document.expired` were written.
 */
export class DocumentRecord extends Schema.Class<DocumentRecord>("@solar-sites/core/DocumentRecord")({
  ...Document.fields,
  declaredBytes: Schema.NullOr(Schema.Int),
  addressExpiresAt: Schema.DateTimeUtcFromString,
  lookAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  refused: Schema.Boolean,
  replacementRequests: Schema.Int,
  expiringAnnounced: Schema.NullOr(CalendarDate),
  expiredAnnounced: Schema.NullOr(CalendarDate)
}) {}

/** The members of a record. */
export type DocumentFields = Pick<DocumentRecord, keyof DocumentRecord>

/** The document that callers see. */
export const documentOf = ({
  addressExpiresAt: _,
  declaredBytes: __,
  expiredAnnounced: ___,
  expiringAnnounced: ____,
  lookAt: _____,
  refused: ______,
  replacementRequests: _______,
  ...document
}: DocumentFields): Document => makeUnchecked(Document, document)

/** The members of a document when the end of its validity was not announced. */
export const unannounced = { expiringAnnounced: null, expiredAnnounced: null }

/** The record with other members. Another last day, or becoming current, is announced anew. */
export const withMembers = (record: DocumentFields, members: Partial<DocumentFields>): DocumentRecord => {
  const after = { ...record, ...members }
  const isAnew = after.validUntil !== record.validUntil || (isCurrent(after) && !isCurrent(record))
  return makeUnchecked(DocumentRecord, isAnew ? { ...after, ...unannounced } : after)
}

export const documentKind = recordKind("document", DocumentRecord, {
  indexed: ["replaces", "status"],
  references: [{ member: "siteId", kind: "site" }],
  bounds: [{ name: "pendingDocuments", maximum: maximumPendingDocuments, holds: ({ status }) => status === "pending" }],
  belongsTo: { as: siteKind, member: "siteId" }
})

/** The existence of documents. */
export const documentReference = recordKind("document", Schema.Struct({ id: DocumentId }), { isExistence: true })

/** The existence of the site of documents. */
export const siteReference = recordKind("site", Schema.Struct({ id: SiteId }), {
  belongsTo: { as: siteKind, member: "id" },
  isExistence: true
})

/**
 * A file that is listed for deletion, under the id of its document. It is due at once when `dueAt` is null.
 * Until `claimedUntil` one call deletes it. An address for an upload to it can be used until
 * `addressExpiresAt`.
 */
export class FileRecord extends Schema.Class<FileRecord>("@solar-sites/core/FileRecord")({
  id: DocumentId,
  organisationId: OrganisationId,
  siteId: SiteId,
  addressExpiresAt: Schema.DateTimeUtcFromString,
  dueAt: Schema.NullOr(Schema.DateTimeUtcFromString),
  claimedUntil: Schema.NullOr(Schema.DateTimeUtcFromString)
}) {}

export const fileKind = recordKind("file", FileRecord, {
  indexed: ["organisationId"],
  // No caller sees a file that is listed for deletion. Its site can be deleted.
  belongsTo: "organisation"
})

/** An event about a change of a document. Null is the state before its creation or after its deletion. */
export const documentEvent = eventAbout<Pick<Document, keyof Document>>(
  documentMembers,
  ({ filename, id, siteId }) => ({ subjectId: id, subjectName: filename, siteId })
)
