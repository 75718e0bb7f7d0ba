/**
 * Rules of documents (specification, sections 4, 5 and 11).
 */
import type { ApiScope } from "@solar-sites/core"
import {
  type Expected,
  etag,
  idOf,
  invalid,
  isStale,
  lacks,
  ok,
  type Rule,
  refused,
  stale,
  type Turn
} from "../Call.ts"
import { later } from "../Instant.ts"
import { folded, hasWords, instantText, listRule, ordering, page, paging, uuids } from "../List.ts"
import { Hole } from "../Match.ts"
import { day, lines, type Members, oneOf, read, readQuery, text } from "../Members.ts"
import type { Document } from "../ModelState.ts"
import { chainOf, changeDocument, documentJson, isCurrent, reject, removeDocument } from "./DocumentRecords.ts"
import {
  anyString,
  documentTypes,
  fileTypes,
  isEarlier,
  isFilename,
  issueUploadUrls,
  metadata,
  reissue,
  type Values
} from "./DocumentUploads.ts"

const statuses = ["pending", "uploaded", "failed", "approved", "completed"]

const ofDocument =
  (answer: (turn: Turn, document: Document) => Expected): Rule =>
  (turn) => {
    const document = turn.organisation.documents.get(idOf(turn))
    return document === undefined ? refused(404, "document_not_found") : answer(turn, document)
  }

const change: Members = {
  status: oneOf(statuses.filter((status) => status !== "pending")),
  reason: lines(500),
  filename: { ...anyString, required: true },
  ...metadata
}

const documentReadOnly = [
  ...["id", "organisationId", "siteId", "type", "path", "mimeType", "sizeBytes", "uploadedBy", "omRecordId"],
  ...["failureReason", "createdAt", "updatedAt", "version", "replaces", "replacedBy"]
]

const before: Readonly<Record<string, string>> = { approved: "uploaded", completed: "approved", failed: "uploaded" }

/** Scopes of a change: deciding, and everything else. */
const needed = ({ reason: _, status, ...others }: Values): ReadonlyArray<ApiScope> => {
  const decides = typeof status === "string" && status !== "uploaded"
  const writes = !decides || Object.keys(others).length > 0
  const approve: ReadonlyArray<ApiScope> = decides ? ["documents:approve"] : []
  return writes ? [...approve, "documents:write"] : approve
}

const changeDocumentStatus: Rule = (turn) => {
  const { pointers, values } = read(change, documentReadOnly, turn.call.body, "change")
  const { reason, status, ...members } = values
  const { filename } = members
  const misnamed = typeof filename === "string" && !isFilename(filename) ? ["/filename"] : []
  const early = isEarlier(members["validUntil"], members["validFrom"]) ? ["/validUntil"] : []
  if (pointers.length + early.length > 0) return invalid([...pointers, ...misnamed, ...early])
  if (misnamed.length > 0) return refused(400, "invalid_filename", misnamed)
  const lacking = lacks(turn, needed(values))
  if (lacking !== undefined) return lacking
  return ofDocument((_, document) => {
    if (isStale(turn, document)) return stale
    const merged = { ...document, ...members }
    if (isEarlier(merged.validUntil, merged.validFrom)) {
      return invalid(["validUntil" in members ? "/validUntil" : "/validFrom"])
    }
    if (status === "uploaded") {
      if (document.status === "pending") return refused(409, "upload_not_found")
      if (document.status !== "uploaded") return refused(409, "invalid_transition")
    }
    const { organisation } = turn
    const isOtherReason = status === "failed" && typeof reason === "string" && reason !== document.failureReason
    if (typeof status === "string" && (status !== document.status || isOtherReason)) {
      if (before[status] !== document.status) return refused(409, "invalid_transition")
      if (status === "failed")
        reject(turn, document, { ...members, status, failureReason: String(reason ?? "rejected") })
      else changeDocument(turn, document, status, { ...members, status })
    } else changeDocument(turn, document, "updated", members)
    return ok(200, documentJson(organisation, document), etag(document))
  })(turn)
}

const reissueUploadUrl: Rule = ofDocument((turn, document) => {
  const entry = reissue(turn, document)
  return entry === undefined ? refused(409, "invalid_transition") : ok(200, entry)
})

const getDownloadUrl: Rule = ofDocument(({ at, organisation }, document) => {
  if (document.status === "pending" || document.status === "failed") return refused(409, "upload_not_found")
  const path = `${organisation.id}/${document.siteId}/${document.id}`
  const url = new Hole("a download address", (found) => typeof found === "string" && found.includes(path))
  return ok(200, { url, expiresAt: later(at, 300_000) })
})

const listRevisions: Rule = (turn) => {
  const { pointers } = readQuery(paging(), turn.call.query)
  if (pointers.length > 0) return invalid(pointers)
  return ofDocument(({ organisation }, document) => {
    const chain = chainOf(organisation, document)
    const items = chain.map((one, index) => ({ id: one.id, one, index }))
    return page(turn, { items, json: ({ one }) => documentJson(organisation, one), value: ({ index }) => index })
  })(turn)
}

const listDocuments: Rule = listRule<Document>(
  {
    ...uuids("siteId", "portfolioId"),
    ...{ type: oneOf([...fileTypes, "report"]), documentType: oneOf(documentTypes), status: oneOf(statuses) },
    ...{ omRecordId: text(200), current: oneOf(["true", "false"]), q: text(200), validUntilBefore: day },
    ...{ updatedAfter: instantText, ...ordering("createdAt", "updatedAt", "filename", "validUntil"), ...paging() }
  },
  ({ organisation }, { current, order, portfolioId, q, sort, validUntilBefore, ...equal }) => ({
    items: [...organisation.documents.values()].filter((document) => {
      const members: Record<string, unknown> = { ...document }
      return (
        Object.entries(equal).every(([key, value]) => ["limit", "cursor"].includes(key) || members[key] === value) &&
        (portfolioId === undefined || organisation.sites.get(document.siteId)?.portfolioId === portfolioId) &&
        (current === undefined || isCurrent(document) === (current === "true")) &&
        (q === undefined || hasWords(q, document.filename, document.note)) &&
        (validUntilBefore === undefined || (document.validUntil !== null && document.validUntil < validUntilBefore))
      )
    }),
    json: (document) => documentJson(organisation, document),
    descending: order === "desc",
    ...(sort === "filename" ? { value: ({ filename }: Document) => folded(filename) } : {}),
    ...(sort === "validUntil" ? { value: ({ validUntil }: Document) => validUntil } : {})
  })
)

export const documentRules: Readonly<Record<string, Rule>> = {
  issueUploadUrls,
  listDocuments,
  getDocument: ofDocument((turn, document) => ok(200, documentJson(turn.organisation, document), etag(document))),
  changeDocumentStatus,
  deleteDocument: ofDocument((turn, document) => {
    if (isStale(turn, document)) return stale
    removeDocument(turn, document, { alone: true })
    return ok(204)
  }),
  listRevisions,
  getDownloadUrl,
  reissueUploadUrl
}
