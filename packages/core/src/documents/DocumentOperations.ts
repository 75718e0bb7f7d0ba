/**
 * The operations on documents: JSON forms, promises and rows.
 */
import type { ApiScope } from "../caller/ApiScope.ts"
import type { OperationOptions } from "../caller/CallOptions.ts"
import { change, create, read } from "../caller/Operation.ts"
import { type List, listOf } from "../lists/Page.ts"
import { Document, DocumentId, DownloadAddress, ListDocuments, ListRevisions } from "./Document.ts"
import { DocumentNotFound } from "./DocumentErrors.ts"
import { ChangeDocumentStatus } from "./DocumentMetadata.ts"
import {
  IssuedUpload,
  IssuedUploads,
  IssueHostUploads,
  type IssueUploads,
  type RefusedUpload,
  type UploadAddress
} from "./UploadRequest.ts"

export type PlainDocument = typeof Document.Encoded

export type PlainListDocuments = typeof ListDocuments.Encoded

export type PlainListRevisions = typeof ListRevisions.Encoded

/** Status and metadata; null clears. `reason` belongs to the status `failed`. */
export type PlainChangeDocumentStatus = typeof ChangeDocumentStatus.Encoded

export type PlainDownloadAddress = typeof DownloadAddress.Encoded

export type PlainIssueUploads = typeof IssueUploads.Encoded

/** Reports, too. */
export type PlainIssueHostUploads = typeof IssueHostUploads.Encoded

/** One result per file, in the order of the request. */
export type PlainIssuedUploads = typeof IssuedUploads.Encoded

export type PlainIssuedUpload = typeof IssuedUpload.Encoded

export type PlainRefusedUpload = typeof RefusedUpload.Encoded

export type PlainUploadAddress = typeof UploadAddress.Encoded

export interface DocumentOperations<Options extends OperationOptions = OperationOptions> {
  /** Issues addresses for 1–20 files of one site. A refused file has an error in its result. */
  readonly issueUploads: (uploads: PlainIssueUploads, options?: Options["create"]) => Promise<PlainIssuedUploads>
  /** Issues a new address for a pending or failed document. */
  readonly reissueUpload: (documentId: string, options?: Options["create"]) => Promise<PlainIssuedUpload>
  readonly get: (documentId: string, options?: Options["read"]) => Promise<PlainDocument>
  /** Oldest first; complete without `limit`. */
  readonly list: (query?: PlainListDocuments, options?: Options["read"]) => Promise<List<PlainDocument>>
  /** The chain of revisions with this document, newest first; complete without `limit`. */
  readonly listRevisions: (
    documentId: string,
    query?: PlainListRevisions,
    options?: Options["read"]
  ) => Promise<List<PlainDocument>>
  /**
   * Changes status and metadata in one step, or metadata alone in any status. The status becomes
   * `uploaded` (verified in storage), `approved`, `completed`, or `failed` with a reason.
   */
  readonly changeStatus: (
    documentId: string,
    change: PlainChangeDocumentStatus,
    options?: Options["change"]
  ) => Promise<PlainDocument>
  /** A download as an attachment with the original name, valid for 5 minutes. */
  readonly downloadUrl: (documentId: string, options?: Options["read"]) => Promise<PlainDownloadAddress>
  /** In any status. The stored file is deleted soon afterwards. */
  readonly delete: (documentId: string, options?: Options["change"]) => Promise<void>
}

const document = { schema: DocumentId, missing: (documentId: DocumentId) => new DocumentNotFound({ documentId }) }

const metadata = ["filename", "documentType", "note", "validFrom", "validUntil"]
const decisions = ["approved", "completed", "failed"]

const scopesOfChange = (change: ChangeDocumentStatus): ReadonlyArray<ApiScope> => {
  if (change.status === undefined || !decisions.includes(change.status)) return ["documents:write"]
  const hasMetadata = metadata.some((member) => Object.hasOwn(change, member))
  return hasMetadata ? ["documents:write", "documents:approve"] : ["documents:approve"]
}

export const documentOperations = {
  issueUploads: create({
    scopes: ["documents:write"],
    input: IssueHostUploads,
    output: IssuedUploads,
    refusals: ["site_not_found", "om_record_not_found", "too_many_pending"]
  }),
  reissueUpload: create({
    scopes: ["documents:write"],
    names: [document],
    output: IssuedUpload,
    refusals: ["document_not_found", "invalid_transition", "too_many_pending", "storage_unavailable", "storage_full"]
  }),
  get: read({ scopes: ["documents:read"], names: [document], output: Document, refusals: ["document_not_found"] }),
  list: read({ scopes: ["documents:read"], input: ListDocuments, output: listOf(Document), refusals: [] }),
  listRevisions: read({
    scopes: ["documents:read"],
    names: [document],
    input: ListRevisions,
    output: listOf(Document),
    refusals: ["document_not_found"]
  }),
  changeStatus: change({
    scopes: [],
    scopesOf: scopesOfChange,
    names: [document],
    input: ChangeDocumentStatus,
    output: Document,
    refusals: [
      "invalid_filename",
      "document_not_found",
      "invalid_transition",
      "upload_not_found",
      "upload_mismatch",
      "already_replaced",
      "storage_unavailable",
      "storage_full"
    ]
  }),
  downloadUrl: read({
    scopes: ["documents:read"],
    names: [document],
    output: DownloadAddress,
    refusals: ["document_not_found", "upload_not_found", "storage_unavailable", "storage_full"]
  }),
  delete: change({ scopes: ["documents:write"], names: [document], refusals: ["document_not_found"] })
}
