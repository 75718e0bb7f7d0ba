/**
 * Serves the document endpoints by calling `Documents`.
 */
import { Document, Documents } from "@solar-sites/core"
import { Effect } from "effect"
import { DocumentsApi } from "../contract/DocumentsApi.ts"
import { serveGroup } from "../pipeline/Endpoint.ts"
import { reply, replyNothing, replyUnlessKnown, replyVersioned } from "../pipeline/Reply.ts"
import { expectedVersions } from "./Conditions.ts"
import { csvReplyOf } from "./CsvReply.ts"
import { replyList } from "./ListReply.ts"
import { uploadReplay, uploadsReplay } from "./ReplayedReply.ts"

const replyCsv = csvReplyOf("documents", Document)

export const documentsHandlers = Effect.map(Documents, (documents) =>
  serveGroup(
    DocumentsApi,
    {
      issueUploads: ({ payload }) => Effect.map(documents.issueUploads(payload), (issued) => reply(issued)),
      list: ({ query }) => replyList(query, documents.list),
      get: ({ headers, params }) => Effect.map(documents.get(params.id), replyUnlessKnown(headers)),
      listRevisions: ({ params, query }) => replyList(query, (page) => documents.listRevisions(params.id, page)),
      changeStatus: ({ headers, params, payload }) =>
        Effect.map(documents.changeStatus(params.id, payload, expectedVersions(headers)), replyVersioned),
      delete: ({ headers, params }) => Effect.as(documents.delete(params.id, expectedVersions(headers)), replyNothing),
      downloadUrl: ({ params }) => Effect.map(documents.downloadUrl(params.id), (address) => reply(address)),
      reissueUpload: ({ params }) => Effect.map(documents.reissueUpload(params.id), (issued) => reply(issued))
    },
    {
      csv: { list: ({ pageAt, query }) => replyCsv(query, pageAt, documents.list) },
      resources: {
        // Without files it looks up the site and the O&M record, and creates nothing.
        issueUploads: ({ payload }) => documents.issueUploads({ ...payload, files: [] }),
        reissueUpload: ({ params }) => documents.get(params.id)
      },
      replays: { issueUploads: uploadsReplay(documents), reissueUpload: uploadReplay(documents) }
    }
  )
)
