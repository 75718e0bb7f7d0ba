/**
 * The operations on documents.
 */
import type { ApiScope } from "../caller/ApiScope.ts"
import { change, create, read } from "../caller/Operation.ts"
import { listOf } from "../persistence/Page.ts"
import { Document, DocumentId, DownloadAddress, ListDocuments, ListRevisions } from "./Document.ts"
import { DocumentNotFound } from "./DocumentErrors.ts"
import { ChangeDocumentStatus } from "./DocumentMetadata.ts"
import { IssuedUpload, IssuedUploads, IssueHostUploads } from "./UploadRequest.ts"

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
    refusals: ["site_not_found", "om_record_not_found", "too_many_pending", "storage_unavailable", "storage_full"]
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
