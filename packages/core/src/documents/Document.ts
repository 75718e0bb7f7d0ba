/**
 * A document of a site: the metadata of a file that is stored or expected (specification, section
 * 2).
 */
import { Schema } from "effect"
import { UserId } from "../caller/Caller.ts"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { CalendarDate } from "../input/CalendarDate.ts"
import { SearchText, text } from "../input/Text.ts"
import { Timestamp } from "../input/Timestamp.ts"
import { Uuid } from "../input/Uuid.ts"
import { maximumPageSize, paging } from "../lists/Page.ts"
import { type ConditionsOf, sorting } from "../lists/Sorting.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { SiteId } from "../sites/Site.ts"
import { StorageKey } from "../storage/StorageKey.ts"
import { Version } from "../versions/Version.ts"
import { DocumentStatus } from "./DocumentStatus.ts"

export const DocumentId = Uuid.pipe(Schema.brand("DocumentId"))
export type DocumentId = typeof DocumentId.Type

/** Purpose of a document, used in site information and search. Only host code creates a `report`. */
export const DocumentPurpose = Schema.Literals(["coverImage", "report", "om-documents", "documents"])
export type DocumentPurpose = typeof DocumentPurpose.Type

/** Kind of document. */
export const DocumentType = Schema.Literals([
  "ppa",
  "mcs_certificate",
  "string_layout",
  "om_ticket",
  "invoice",
  "equipment_register",
  "warranty_information",
  "handover_document",
  "ppm",
  "epc",
  "finance_agreements",
  "insurance",
  "land_lease",
  "om_contract",
  "spare_parts",
  "other"
])
export type DocumentType = typeof DocumentType.Type

/** Id of an O&M record in the format of the host. */
export const OmRecordId = text({ min: 1, max: 200 }).pipe(Schema.brand("OmRecordId"))
export type OmRecordId = typeof OmRecordId.Type

/** Remarks of callers. */
export const DocumentNote = text({ max: 2_000, lines: true })

/**
 * `type` is the `fileType` of the upload request. `filename` is a label, kept as sent and never
 * part of a path; `path` is the storage key. `sizeBytes` is the declared size and, from `uploaded`
 * on, the stored size. The document is valid on the days `validFrom` and `validUntil` themselves.
 *
 * `replaces` is the document that this one is to replace. When this one becomes `uploaded`, that one
 * gets its id as `replacedBy`, unless it has been replaced by another document.
 */
export class Document extends Schema.Class<Document>("@solar-sites/core/Document")({
  id: DocumentId,
  organisationId: OrganisationId,
  siteId: SiteId,
  type: DocumentPurpose,
  documentType: Schema.NullOr(DocumentType),
  filename: Schema.String,
  path: StorageKey,
  status: DocumentStatus,
  mimeType: Schema.String,
  sizeBytes: Schema.NullOr(Schema.Int),
  uploadedBy: Schema.NullOr(UserId),
  omRecordId: Schema.NullOr(OmRecordId),
  failureReason: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromString,
  updatedAt: Schema.DateTimeUtcFromString,
  version: Version,
  note: Schema.NullOr(DocumentNote),
  validFrom: Schema.NullOr(CalendarDate),
  validUntil: Schema.NullOr(CalendarDate),
  replaces: Schema.NullOr(DocumentId),
  replacedBy: Schema.NullOr(DocumentId)
}) {}

/** The members that callers set, and the status: events show their changes. */
export const documentMembers = [
  "type",
  "documentType",
  "filename",
  "status",
  "mimeType",
  "sizeBytes",
  "omRecordId",
  "failureReason",
  "note",
  "validFrom",
  "validUntil",
  "replaces",
  "replacedBy"
] as const satisfies ReadonlyArray<keyof Document>

/**
 * Maximum number of pending documents per organisation. The sweeper inspects each of them every 30
 * seconds.
 */
export const maximumPendingDocuments = 10_000

/** A signed address to download a file from, until `expiresAt`. */
export const DownloadAddress = Schema.Struct({ url: Schema.String, expiresAt: Schema.DateTimeUtcFromString })
export type DownloadAddress = typeof DownloadAddress.Type

/**
 * Query of a document search; all conditions must hold. A document is current when its file has
 * arrived (`uploaded`, `approved`, `completed`) and no other document has replaced it. `q` searches
 * filename and note. `portfolioId` is that of the site. `validUntilBefore` and `updatedAfter` are
 * exclusive; a document without a last day of validity is not before any day.
 */
export const ListDocuments = Schema.Struct({
  siteId: Schema.optionalKey(SiteId),
  type: Schema.optionalKey(DocumentPurpose),
  documentType: Schema.optionalKey(DocumentType),
  status: Schema.optionalKey(DocumentStatus),
  omRecordId: Schema.optionalKey(OmRecordId),
  current: Schema.optionalKey(Schema.Boolean),
  q: Schema.optionalKey(SearchText),
  portfolioId: Schema.optionalKey(PortfolioId),
  validUntilBefore: Schema.optionalKey(CalendarDate),
  updatedAfter: Schema.optionalKey(Timestamp),
  ...sorting(["createdAt", "updatedAt", "filename", "validUntil"]),
  ...paging("documents", maximumPageSize)
})
export type ListDocuments = typeof ListDocuments.Type

/** Orders of a document search. */
export type DocumentSort = NonNullable<ListDocuments["sort"]>

/** Paging of the revisions of a document. */
export const ListRevisions = Schema.Struct(paging("revisions", maximumPageSize))
export type ListRevisions = typeof ListRevisions.Type

/** Conditions of a document search without paging. */
export type DocumentConditions = ConditionsOf<ListDocuments>
