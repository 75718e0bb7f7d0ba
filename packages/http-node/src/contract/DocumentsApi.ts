/**
 * The document endpoints. Files themselves go straight to storage, by the signed
 * addresses that are issued here (specification, sections 4 and 5).
 */
import {
  ChangeDocumentStatus,
  Document,
  DocumentId,
  DownloadAddress,
  IssuedUpload,
  IssuedUploads,
  IssueUploads,
  ListDocuments,
  ListRevisions,
  neededScopes
} from "@solar-sites/core/model"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { EmptyBody, finding, IdempotencyKey, IfMatch, inQuery, listOf, PathResource } from "./Conditions.ts"
import {
  exampleDocument,
  exampleDownload,
  exampleIssuedUpload,
  exampleIssuedUploads,
  exampleUploads
} from "./Examples.ts"
import { bodyProblems, idempotencyProblems, ifMatchProblems, operation } from "./Operation.ts"
import { refusals } from "./Problems.ts"

const params = { id: DocumentId }
const responseHeaders = { etag: "The version of the document, to be sent back in If-Match." }
const storageProblems = ["storage_unavailable", "storage_full"] as const

export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.post("issueUploads", "/api/docs/bulk-upload-url", {
      headers: IdempotencyKey,
      payload: IssueUploads,
      success: IssuedUploads,
      error: refusals
    }).annotateMerge(
      operation({
        id: "issueUploadUrls",
        scopes: neededScopes.documents.issueUploads,
        summary: "Issue upload addresses",
        description:
          "One result per file, in the order of the request. A file has an error instead of an address when policy refuses it, or when the document in `replaces` cannot be replaced. It does not harm the others. Send each file with `method` to `url`, with `headers` as they are, within 60 seconds.",
        problems: [
          ...bodyProblems,
          ...idempotencyProblems,
          "site_not_found",
          "om_record_not_found",
          "too_many_pending",
          ...storageProblems
        ],
        request: exampleUploads,
        response: exampleIssuedUploads
      })
    ),
    HttpApiEndpoint.get("list", "/api/docs", {
      query: inQuery(ListDocuments),
      success: listOf(Document),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listDocuments",
        compressible: true,
        csv: true,
        scopes: neededScopes.documents.list,
        summary: "List documents",
        description: `Oldest first. All conditions must hold, and ids of others or of nothing give an empty list. ${finding("filename or note")} Documents without \`validUntil\` come last in \`asc\` and first in \`desc\`.`,
        problems: ["validation_failed"],
        response: { data: [exampleDocument], nextCursor: null }
      })
    ),
    HttpApiEndpoint.get("get", "/api/docs/:id", { params, success: Document, error: refusals }).annotateMerge(
      operation({
        id: "getDocument",
        scopes: neededScopes.documents.get,
        summary: "Read a document",
        problems: ["validation_failed", "document_not_found"],
        response: exampleDocument,
        responseHeaders
      })
    ),
    HttpApiEndpoint.get("listRevisions", "/api/docs/:id/revisions", {
      params,
      query: inQuery(ListRevisions),
      success: listOf(Document),
      error: refusals
    }).annotateMerge(
      operation({
        id: "listRevisions",
        compressible: true,
        scopes: neededScopes.documents.listRevisions,
        summary: "List the revisions of a document",
        description:
          "The whole chain of which the document is a member, newest first. A document that has not arrived yet begins its own list. Without `limit` the list is complete.",
        problems: ["validation_failed", "document_not_found"],
        response: { data: [exampleDocument], nextCursor: null }
      })
    ),
    HttpApiEndpoint.put("changeStatus", "/api/docs/:id", {
      params,
      headers: IfMatch,
      payload: ChangeDocumentStatus,
      success: Document,
      error: refusals
    }).annotateMerge(
      operation({
        id: "changeDocumentStatus",
        scopes: neededScopes.documents.changeStatus,
        summary: "Change a document",
        description:
          "Status, metadata, or both in one step. The status becomes `uploaded` once the file has arrived, which is verified in storage; then `approved`, and `completed`; or `failed` with a `reason`, which rejects what was uploaded. `filename`, `documentType`, `note`, `validFrom` and `validUntil` can be changed in every status; an absent member keeps its value, null clears it. A new `filename` leaves `path` as it is. Values that are stored already change nothing.",
        problems: [
          ...bodyProblems,
          ...ifMatchProblems,
          "invalid_filename",
          "document_not_found",
          "invalid_transition",
          "upload_not_found",
          "upload_mismatch",
          "already_replaced",
          ...storageProblems
        ],
        request: { status: "failed", reason: "The second page is missing." },
        response: { ...exampleDocument, status: "failed", failureReason: "The second page is missing.", version: 3 },
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/docs/:id", { params, headers: IfMatch, error: refusals }).annotateMerge(
      operation({
        id: "deleteDocument",
        scopes: neededScopes.documents.delete,
        summary: "Delete a document",
        description: "In any state. Its stored file is deleted soon after.",
        problems: ["validation_failed", ...ifMatchProblems, "document_not_found"]
      })
    ),
    HttpApiEndpoint.get("downloadUrl", "/api/docs/:id/download-url", {
      params,
      success: DownloadAddress,
      error: refusals
    }).annotateMerge(
      operation({
        id: "getDownloadUrl",
        scopes: neededScopes.documents.downloadUrl,
        summary: "Issue a download address",
        description: "Holds for five minutes; the file comes as an attachment under its original name.",
        problems: ["validation_failed", "document_not_found", "upload_not_found", ...storageProblems],
        response: exampleDownload
      })
    ),
    HttpApiEndpoint.post("reissueUpload", "/api/docs/:id/upload-url", {
      params,
      headers: IdempotencyKey,
      payload: EmptyBody,
      success: IssuedUpload,
      error: refusals
    }).annotateMerge(
      operation({
        id: "reissueUploadUrl",
        scopes: neededScopes.documents.reissueUpload,
        summary: "Issue an upload address again",
        description: "For a document that is pending or failed. There is nothing to say in the body.",
        problems: [
          ...bodyProblems,
          ...idempotencyProblems,
          "document_not_found",
          "invalid_transition",
          "too_many_pending",
          ...storageProblems
        ],
        request: {},
        bodyOptional: true,
        response: exampleIssuedUpload
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "document_not_found")
  .annotateMerge(OpenApi.annotations({ title: "Documents", description: "Files of sites, and how they come." })) {}
