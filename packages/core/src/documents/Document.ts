/**
 * A document of a site: what is known of a file that lies in storage, or will
 * (specification, section 2).
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { UserId } from "../caller/Caller.ts"
import { ignored } from "../input/ReadOnlyMembers.ts"
import { text } from "../input/Text.ts"
import { Uuid } from "../input/Uuid.ts"
import { OrganisationId } from "../organisations/Organisation.ts"
import { maximumPageSize, paging } from "../persistence/Page.ts"
import { Version } from "../persistence/Version.ts"
import { SiteId } from "../sites/Site.ts"
import { StorageKey } from "../storage/StorageKey.ts"
import { DocumentStatus } from "./DocumentStatus.ts"

/**
 * @category models
 * @since 0.1.0
 */
export const DocumentId = Uuid.pipe(Schema.brand("DocumentId"))
export type DocumentId = typeof DocumentId.Type

/**
 * What a document serves for: it fills in site information and search. `report`
 * is set by host code only.
 *
 * @category models
 * @since 0.1.0
 */
export const DocumentPurpose = Schema.Literals(["coverImage", "report", "om-documents", "documents"])
export type DocumentPurpose = typeof DocumentPurpose.Type

/**
 * What a document is.
 *
 * @category models
 * @since 0.1.0
 */
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

/**
 * The id of an O&M record, in whatever form the host gives it.
 *
 * @category models
 * @since 0.1.0
 */
export const OmRecordId = text({ min: 1, max: 200 }).pipe(Schema.brand("OmRecordId"))
export type OmRecordId = typeof OmRecordId.Type

/**
 * `type` is the `fileType` of the upload request; `filename` a label, kept as it
 * was sent and never part of a path; `path` where the file lies; `sizeBytes`
 * what was declared, and from `uploaded` on what storage really holds.
 *
 * @category models
 * @since 0.1.0
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
  version: Version
}) {}

/**
 * How many pending documents an organisation has at most. The sweeper looks at
 * each of them every 30 seconds.
 *
 * @category models
 * @since 0.1.0
 */
export const maximumPendingDocuments = 10_000

/**
 * A change of state as a caller says it; `reason` goes with `failed`. Without
 * `status` nothing changes. All other members of a document are accepted and
 * ignored.
 *
 * @category models
 * @since 0.1.0
 */
export const ChangeDocumentStatus = Schema.Struct({
  id: ignored,
  organisationId: ignored,
  siteId: ignored,
  type: ignored,
  documentType: ignored,
  filename: ignored,
  path: ignored,
  mimeType: ignored,
  sizeBytes: ignored,
  uploadedBy: ignored,
  omRecordId: ignored,
  failureReason: ignored,
  createdAt: ignored,
  updatedAt: ignored,
  version: ignored,
  status: Schema.optionalKey(DocumentStatus),
  reason: Schema.optionalKey(Schema.NullOr(text({ min: 1, max: 500, trim: true, lines: true })))
})
export type ChangeDocumentStatus = typeof ChangeDocumentStatus.Type

/**
 * A signed address to download a file from, until `expiresAt`.
 *
 * @category models
 * @since 0.1.0
 */
export const DownloadAddress = Schema.Struct({ url: Schema.String, expiresAt: Schema.DateTimeUtcFromString })
export type DownloadAddress = typeof DownloadAddress.Type

/**
 * Which documents to search for; all conditions must hold.
 *
 * @category models
 * @since 0.1.0
 */
export const ListDocuments = Schema.Struct({
  siteId: Schema.optionalKey(SiteId),
  type: Schema.optionalKey(DocumentPurpose),
  documentType: Schema.optionalKey(DocumentType),
  status: Schema.optionalKey(DocumentStatus),
  omRecordId: Schema.optionalKey(OmRecordId),
  ...paging(maximumPageSize)
})
export type ListDocuments = typeof ListDocuments.Type

/**
 * The conditions of a search, without paging.
 *
 * @category models
 * @since 0.1.0
 */
export type DocumentConditions = Omit<ListDocuments, "limit" | "cursor">
