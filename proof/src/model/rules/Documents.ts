/**
 * Rules of documents (specification, sections 4, 5 and 11).
 */
import type { ApiScope } from "@solar-sites/core"
import { ChangeDocumentStatus, ListDocuments, ListRevisions } from "@solar-sites/core/model"
import { invalid, isStale, lacks, ok, type Rule, refused, stale } from "../Call.ts"
import { asked, given } from "../Input.ts"
import { folded, hasValues, hasWords, listRule, page } from "../List.ts"
import { Hole, later } from "../Match.ts"
import { ofRecord, shown } from "../Records.ts"
import { chainOf, changeDocument, documentKind, isCurrent, reject, removeDocument } from "./DocumentRecords.ts"
import { issueUploadUrls, reissue } from "./DocumentUploads.ts"

const ofDocument = ofRecord(documentKind)

const isEarlier = (day: string | null, other: string | null): boolean => day !== null && other !== null && day < other

const before: Readonly<Record<string, string>> = { approved: "uploaded", completed: "approved", failed: "uploaded" }

/** Scopes of a change: deciding, and everything else. */
const needed = ({ reason: _, status, ...others }: ChangeDocumentStatus): ReadonlyArray<ApiScope> => {
  const decides = status !== undefined && status !== "uploaded"
  const writes = !decides || Object.keys(others).length > 0
  const approve: ReadonlyArray<ApiScope> = decides ? ["documents:approve"] : []
  return writes ? [...approve, "documents:write"] : approve
}

export const documentRules: Readonly<Record<string, Rule>> = {
  issueUploadUrls,
  listDocuments: listRule(ListDocuments, {
    items: ({ organisation }, { current, portfolioId, q, validUntilBefore, ...conditions }) => {
      const { documentType, omRecordId, siteId, status, type } = conditions
      return [...organisation.documents.values()].filter(
        (document) =>
          hasValues(document, { siteId, type, documentType, status, omRecordId }) &&
          hasValues(organisation.sites.get(document.siteId) ?? {}, { portfolioId }) &&
          (current === undefined || isCurrent(document) === current) &&
          hasWords(q, document.filename, document.note) &&
          (validUntilBefore === undefined || (document.validUntil !== null && document.validUntil < validUntilBefore))
      )
    },
    json: ({ organisation }, document) => documentKind.json(organisation, document),
    sorts: { filename: ({ filename }) => folded(filename), validUntil: ({ validUntil }) => validUntil }
  }),
  getDocument: ofDocument((turn, document) => shown(turn, documentKind, document)),
  changeDocumentStatus: (turn) =>
    given(ChangeDocumentStatus, turn.call, (values) => {
      const lacking = lacks(turn, needed(values))
      if (lacking !== undefined) return lacking
      const { reason, status, ...members } = values
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
        const isOtherReason = status === "failed" && typeof reason === "string" && reason !== document.failureReason
        if (status !== undefined && (status !== document.status || isOtherReason)) {
          if (before[status] !== document.status) return refused(409, "invalid_transition")
          if (status === "failed") reject(turn, document, { ...members, status, failureReason: reason ?? "rejected" })
          else changeDocument(turn, document, status, { ...members, status })
        } else changeDocument(turn, document, "updated", members)
        return shown(turn, documentKind, document)
      })(turn)
    }),
  deleteDocument: ofDocument((turn, document) => {
    if (isStale(turn, document)) return stale
    removeDocument(turn, document, { alone: true })
    return ok(204)
  }),
  listRevisions: (turn) =>
    asked(ListRevisions, turn.call, () =>
      ofDocument(({ organisation }, document) => {
        const items = chainOf(organisation, document).map((one, index) => ({ id: one.id, one, index }))
        const shown = ({ one }: (typeof items)[number]) => documentKind.json(organisation, one)
        return page(turn, items, shown, ({ index }) => index)
      })(turn)
    ),
  getDownloadUrl: ofDocument(({ at, organisation }, document) => {
    if (document.status === "pending" || document.status === "failed") return refused(409, "upload_not_found")
    const path = `${organisation.id}/${document.siteId}/${document.id}`
    const url = new Hole("a download address", (found) => typeof found === "string" && found.includes(path))
    return ok(200, { url, expiresAt: later(at, 300_000) })
  }),
  reissueUploadUrl: ofDocument((turn, document) => {
    const entry = reissue(turn, document)
    return entry === undefined ? refused(409, "invalid_transition") : ok(200, entry)
  })
}
