/**
 * Rules of upload addresses (specification, section 5).
 */
import { IssueUploads, type UploadFile } from "@solar-sites/core/model"
import { ok, type Rule, refused, type Turn } from "../Call.ts"
import { given } from "../Input.ts"
import { anyText, Hole, isRecord, later } from "../Match.ts"
import type { Document } from "../ModelState.ts"
import { created, emitChange } from "../Records.ts"
import { changeDocument, documentKind } from "./DocumentRecords.ts"

const megabyte = 1_048_576
const addressLife = 60_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: the refused characters are listed.
const refusedInNames = /[/\\\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u

const isFilename = (filename: string): boolean =>
  filename !== "" &&
  filename !== "." &&
  filename !== ".." &&
  !refusedInNames.test(filename) &&
  Buffer.byteLength(filename) <= 255

const storedType = (mimeType: string): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType.toLowerCase() : "application/octet-stream"

const isAllowed = (type: string, mimeType: string): boolean =>
  type === "coverImage"
    ? ["image/jpeg", "image/png", "image/webp"].includes(mimeType)
    : !/html|svg|javascript|x-msdownload/.test(mimeType)

/** Why policy or the chain refuses a file. */
const faultOf = (
  { organisation }: Turn,
  { fileType, siteId }: IssueUploads,
  { fileSize, filename, mimeType, replaces }: UploadFile
): string | undefined => {
  if (!isFilename(filename)) return "invalid_filename"
  if (!isAllowed(fileType, storedType(mimeType))) return "mime_type_not_allowed"
  if ((fileSize ?? 0) > (fileType === "coverImage" ? 20 : 100) * megabyte) return "file_too_large"
  if (!replaces) return undefined
  const old = organisation.documents.get(replaces)
  if (old === undefined || old.siteId !== siteId || old.type !== fileType) return "replaces_not_found"
  if (old.status === "pending" || old.status === "failed") return "replaces_not_uploaded"
  return old.replacedBy === null ? undefined : "already_replaced"
}

/** An upload address, which the model keeps. */
const addressOf = ({ at, organisation, model }: Turn, document: Document, fileSize: number | null): Hole =>
  new Hole("an upload address", (found) => {
    if (!isRecord(found)) return false
    const { expiresAt, headers, method, path, token, url } = found
    const expires = later(at, addressLife)
    const instant = Date.parse(String(expiresAt))
    if (!(instant >= expires["@from"] && instant <= expires["@to"])) return false
    if (typeof url !== "string" || url !== `${path}?${token}` || method !== "PUT" || !isRecord(headers)) return false
    if (!String(path).endsWith(`${organisation.id}/${document.siteId}/${document.id}`)) return false
    Object.assign(expires, { "@from": instant, "@to": instant })
    document.addressExpiresAt = expires
    const sent = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]))
    organisation.addresses.push({ documentId: document.id, url, headers: sent, fileSize, expiresAt: expires })
    return model.ids.has(document.id)
  })

const pending = (turn: Turn, request: IssueUploads, { fileSize, mimeType, ...members }: UploadFile): Document => ({
  ...{ id: "", siteId: request.siteId, type: request.fileType, status: "pending" },
  ...{ mimeType: storedType(mimeType), sizeBytes: fileSize ?? null, failureReason: null, replacedBy: null },
  ...{ uploadedBy: turn.caller.userId, omRecordId: request.fileType === "om-documents" ? request.omRecordId : null },
  ...{ documentType: null, note: null, validFrom: null, validUntil: null, replaces: null, ...members },
  ...{ createdAt: turn.at, updatedAt: turn.at, version: 1, addressExpiresAt: turn.at }
})

export const issueUploadUrls: Rule = (turn) =>
  given(IssueUploads, turn.call, (request) => {
    const { organisation } = turn
    if (!organisation.sites.has(request.siteId)) return refused(404, "site_not_found")
    const results = request.files.map((file, index) => {
      const { filename } = file
      const code = faultOf(turn, request, file)
      if (code !== undefined) return { index, filename, success: false, error: { code, detail: anyText } }
      const document = pending(turn, request, file)
      const { id: documentId } = created(turn, documentKind, document, "requested")
      // The id is read first: the address ends with it.
      return { documentId, filename, success: true, uploadUrl: addressOf(turn, document, document.sizeBytes) }
    })
    const successful = results.filter(({ success }) => success).length
    const summary = { total: results.length, successful, failed: results.length - successful }
    return ok(200, { results, summary })
  })

/** The entry with a new address; undefined for a document that has its file. */
export const reissue = (turn: Turn, document: Document): Record<string, unknown> | undefined => {
  if (document.status !== "pending" && document.status !== "failed") return undefined
  // The next file of a rejected document may have any length.
  const isRejected =
    document.failureReason !== null && !/^(nothing arrived|already_replaced)/.test(document.failureReason)
  const sizeBytes = isRejected ? null : document.sizeBytes
  const values = { status: "pending", sizeBytes, failureReason: null }
  if (document.status === "failed") changeDocument(turn, document, "reissued", values)
  else emitChange(turn, documentKind, "reissued", document, document)
  const uploadUrl = addressOf(turn, document, sizeBytes)
  return { filename: document.filename, success: true, documentId: document.id, uploadUrl }
}

const renewed = (turn: Turn, entry: unknown): unknown => {
  const id = isRecord(entry) && entry["success"] === true ? String(entry["documentId"]) : ""
  const document = turn.organisation.documents.get(id)
  if (document?.status !== "pending") return entry
  const { filename, sizeBytes } = document
  return { filename, success: true, documentId: id, uploadUrl: addressOf(turn, document, sizeBytes) }
}

/** A repetition has new addresses for pending documents, and writes no event. */
export const replayed = (turn: Turn, body: unknown): unknown => {
  if (!isRecord(body) || !Array.isArray(body["results"])) return renewed(turn, body)
  return { ...body, results: body["results"].map((entry: unknown) => renewed(turn, entry)) }
}
