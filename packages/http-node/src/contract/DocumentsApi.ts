/**
 * The document endpoints. Files themselves go straight to storage, by the signed
 * addresses that are issued here (specification, sections 4 and 5).
 */
import { downloadAddressLife, IssueUploads, operations, uploadAddressLife } from "@solar-sites/core/model"
import { Duration } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "./Authentication.ts"
import { finding, PathResource } from "./Conditions.ts"
import {
  exampleDocument,
  exampleDownload,
  exampleIssuedUpload,
  exampleIssuedUploads,
  exampleUploads
} from "./Examples.ts"
import { operation } from "./Operation.ts"
import { conditional, partsOf } from "./Parts.ts"

const { documents } = operations

const responseHeaders = { etag: "The version of the document, to be sent back in If-Match." }

export class DocumentsApi extends HttpApiGroup.make("documents")
  .add(
    HttpApiEndpoint.post("issueUploads", "/api/docs/bulk-upload-url", {
      ...partsOf(documents.issueUploads),
      payload: IssueUploads
    }).annotateMerge(
      operation(documents.issueUploads, {
        id: "issueUploadUrls",
        summary: "Issue upload addresses",
        description: `One result per file, in the order of the request. A file has an error instead of an address when policy refuses it, or when the document in \`replaces\` cannot be replaced. It does not harm the others. Send each file with \`method\` to \`url\`, with \`headers\` as they are, within ${Duration.toSeconds(uploadAddressLife)} seconds.`,
        request: exampleUploads,
        response: exampleIssuedUploads
      })
    ),
    HttpApiEndpoint.get("list", "/api/docs", conditional(partsOf(documents.list))).annotateMerge(
      operation(documents.list, {
        id: "listDocuments",
        compressible: true,
        csv: true,
        summary: "List documents",
        description: `Oldest first. All conditions must hold, and an id that your organisation does not have gives an empty list. ${finding("filename or note")} Documents without \`validUntil\` come last in \`asc\` and first in \`desc\`.`,
        response: { data: [exampleDocument], nextCursor: null }
      })
    ),
    HttpApiEndpoint.get("get", "/api/docs/:id", conditional(partsOf(documents.get))).annotateMerge(
      operation(documents.get, {
        id: "getDocument",
        summary: "Read a document",
        response: exampleDocument,
        responseHeaders
      })
    ),
    HttpApiEndpoint.get(
      "listRevisions",
      "/api/docs/:id/revisions",
      conditional(partsOf(documents.listRevisions))
    ).annotateMerge(
      operation(documents.listRevisions, {
        id: "listRevisions",
        compressible: true,
        summary: "List the revisions of a document",
        description:
          "The whole chain of which the document is a member, newest first. A document that has not arrived yet begins its own list. Without `limit` the list is complete.",
        response: { data: [exampleDocument], nextCursor: null }
      })
    ),
    HttpApiEndpoint.put("changeStatus", "/api/docs/:id", partsOf(documents.changeStatus)).annotateMerge(
      operation(documents.changeStatus, {
        id: "changeDocumentStatus",
        summary: "Change a document",
        description:
          "Status, metadata, or both in one step. The status becomes `uploaded` once the file has arrived, which is verified in storage; then `approved`, and `completed`; or `failed` with a `reason`, which rejects what was uploaded. `filename`, `documentType`, `note`, `validFrom` and `validUntil` can be changed in every status; an absent member keeps its value, null clears it. A new `filename` leaves `path` as it is. Values that are stored already change nothing.",
        request: { status: "failed", reason: "The second page is missing." },
        response: { ...exampleDocument, status: "failed", failureReason: "The second page is missing.", version: 3 },
        responseHeaders
      })
    ),
    HttpApiEndpoint.delete("delete", "/api/docs/:id", partsOf(documents.delete)).annotateMerge(
      operation(documents.delete, {
        id: "deleteDocument",
        summary: "Delete a document",
        description: "A document can be deleted in any state. Its stored file is deleted soon after."
      })
    ),
    HttpApiEndpoint.get("downloadUrl", "/api/docs/:id/download-url", partsOf(documents.downloadUrl)).annotateMerge(
      operation(documents.downloadUrl, {
        id: "getDownloadUrl",
        summary: "Issue a download address",
        description: `The address holds for ${Duration.toMinutes(downloadAddressLife)} minutes; the file comes as an attachment under its original name.`,
        response: exampleDownload
      })
    ),
    HttpApiEndpoint.post("reissueUpload", "/api/docs/:id/upload-url", partsOf(documents.reissueUpload)).annotateMerge(
      operation(documents.reissueUpload, {
        id: "reissueUploadUrl",
        summary: "Issue an upload address again",
        description: "The document must be pending or failed. The body is empty.",
        response: exampleIssuedUpload
      })
    )
  )
  .middleware(Authentication)
  .annotate(PathResource, "document_not_found")
  .annotateMerge(
    OpenApi.annotations({ title: "Documents", description: "Files of sites: upload, review, validity and download." })
  ) {}
