/**
 * The members of a document that callers describe it with, and changes of them.
 */
import { Schema } from "effect"
import { withFaultsOf } from "../input/AllFaults.ts"
import { CalendarDate } from "../input/CalendarDate.ts"
import { ignored, type Untyped } from "../input/ReadOnlyMembers.ts"
import { text } from "../input/Text.ts"
import type { Fault } from "../input/ValidationFailed.ts"
import { type Document, DocumentNote, DocumentType } from "./Document.ts"
import { DocumentStatus } from "./DocumentStatus.ts"
import { filenameRule, isFilename } from "./FilePolicy.ts"

type Validity = { readonly validFrom?: CalendarDate | null; readonly validUntil?: CalendarDate | null }

const isInOrder = ({ validFrom = null, validUntil = null }: Validity): boolean =>
  validFrom === null || validUntil === null || validFrom <= validUntil

const endsTooEarly = { pointer: "/validUntil", code: "out_of_range", detail: "must not be before validFrom" }
const beginsTooLate = { pointer: "/validFrom", code: "out_of_range", detail: "must not be after validUntil" }

/** Check of a struct with `validity`: it does not end before it begins. */
export const validityInOrder = Schema.makeFilter(
  (days: Validity) => (isInOrder(days) ? undefined : { path: ["validUntil"], issue: endsTooEarly.detail }),
  {
    message: endsTooEarly.detail,
    faultCode: endsTooEarly.code,
    representation: { id: "@solar-sites/core/validityInOrder", payload: null },
    toJsonSchema: () => ({})
  }
)

const validity = {
  validFrom: Schema.optionalKey(Schema.NullOr(CalendarDate)),
  validUntil: Schema.optionalKey(Schema.NullOr(CalendarDate))
}

/** Optional members of an upload and of a change. */
export const describingMembers = {
  documentType: Schema.optionalKey(Schema.NullOr(DocumentType)),
  note: Schema.optionalKey(Schema.NullOr(DocumentNote)),
  ...validity
}

/** The check alone, for input with faults in other members. */
export const ValidityInOrder = Schema.Struct(validity).check(validityInOrder)

const returnedOnly: Untyped = {
  id: ignored,
  organisationId: ignored,
  siteId: ignored,
  type: ignored,
  path: ignored,
  mimeType: ignored,
  sizeBytes: ignored,
  uploadedBy: ignored,
  omRecordId: ignored,
  failureReason: ignored,
  createdAt: ignored,
  updatedAt: ignored,
  version: ignored,
  replaces: ignored,
  replacedBy: ignored
}

const Change = Schema.Struct({
  ...returnedOnly,
  status: Schema.optionalKey(DocumentStatus),
  reason: Schema.optionalKey(Schema.NullOr(text({ min: 1, max: 500, trim: true, lines: true }))),
  filename: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter(isFilename, { message: filenameRule, faultCode: "invalid_filename" }))
  ),
  ...describingMembers
}).check(validityInOrder)

/**
 * Change of status and metadata requested by a caller. An absent member keeps its value; null clears
 * it. `reason` belongs to the status `failed`. All other members of a document are accepted and
 * ignored.
 */
export const ChangeDocumentStatus = withFaultsOf(ValidityInOrder, Change)
export type ChangeDocumentStatus = typeof ChangeDocumentStatus.Type

/** New values of metadata. Absent members keep their values. */
export type DocumentChanges = {
  readonly [Member in "filename" | "documentType" | "note" | "validFrom" | "validUntil"]?: Document[Member]
}

/** The metadata in a requested change. */
export const metadataOf = ({ reason: _, status: __, ...metadata }: ChangeDocumentStatus): DocumentChanges => metadata

/** The fault of a change after which the validity would end before it begins. */
export const validityFault = (stored: Document, changes: DocumentChanges): Fault | undefined => {
  if (isInOrder({ ...stored, ...changes })) return undefined
  return changes.validUntil === undefined ? beginsTooLate : endsTooEarly
}
