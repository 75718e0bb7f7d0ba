/**
 * Rules of upload addresses (specification, section 5).
 */
import { invalid, ok, type Rule, refused, type Turn, uuidIn } from "../Call.ts"
import { later } from "../Instant.ts"
import { anyText, Hole, newId } from "../Match.ts"
import { day, isRecord, lines, type Member, type Members, number, oneOf, read, text } from "../Members.ts"
import type { Document } from "../ModelState.ts"
import { changeDocument, emitDocument } from "./DocumentRecords.ts"

export const documentTypes = [
  ...["ppa", "mcs_certificate", "string_layout", "om_ticket", "invoice", "equipment_register", "warranty_information"],
  ...["handover_document", "ppm", "epc", "finance_agreements", "insurance", "land_lease", "om_contract", "spare_parts"],
  "other"
]

export const fileTypes = ["documents", "om-documents", "coverImage"]
const megabyte = 1_048_576
const addressLife = 60_000

export const metadata: Members = {
  documentType: oneOf(documentTypes),
  note: lines(2_000),
  validFrom: day,
  validUntil: day
}

export const anyString: Member = { holds: (value) => typeof value === "string" }

const file: Members = {
  filename: { ...anyString, required: true },
  mimeType: { holds: (value) => typeof value === "string" && value.length <= 255, required: true },
  fileSize: number((value) => Number.isSafeInteger(value) && value >= 0),
  ...metadata,
  replaces: { holds: (value) => uuidIn(value) !== undefined, form: uuidIn }
}

export const isEarlier = (validUntil: unknown, validFrom: unknown): boolean =>
  typeof validUntil === "string" && typeof validFrom === "string" && validUntil < validFrom

// biome-ignore lint/suspicious/noControlCharactersInRegex: the refused characters are listed.
const refusedInNames = /[/\\\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u

export const isFilename = (filename: string): boolean =>
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

export type Values = Readonly<Record<string, unknown>>

/** Why policy or the chain refuses a file. */
const faultOf = ({ organisation }: Turn, type: string, siteId: string, values: Values): string | undefined => {
  if (!isFilename(String(values["filename"]))) return "invalid_filename"
  if (!isAllowed(type, storedType(String(values["mimeType"])))) return "mime_type_not_allowed"
  if (Number(values["fileSize"] ?? 0) > (type === "coverImage" ? 20 : 100) * megabyte) return "file_too_large"
  if (typeof values["replaces"] !== "string") return undefined
  const old = organisation.documents.get(values["replaces"])
  if (old === undefined || old.siteId !== siteId || old.type !== type) return "replaces_not_found"
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
    organisation.addresses.push({
      documentId: document.id,
      url,
      headers: sent,
      fileSize,
      expiresAt: expires,
      used: false
    })
    return model.ids.has(document.id)
  })

const template = (turn: Turn, common: Partial<Document>, values: Values): Document => {
  const { fileSize = null, mimeType, ...members } = values
  return Object.assign(
    {
      ...{ id: "", siteId: "", type: "", documentType: null, filename: "", status: "pending" },
      ...{ mimeType: storedType(String(mimeType)), sizeBytes: fileSize as number | null, failureReason: null },
      ...{ uploadedBy: turn.caller.userId, omRecordId: null, note: null, validFrom: null, validUntil: null },
      ...{ replaces: null, replacedBy: null, createdAt: turn.at, updatedAt: turn.at, version: 1 },
      addressExpiresAt: turn.at
    },
    common,
    members
  )
}

const request: Members = {
  siteId: { holds: (value) => uuidIn(value) !== undefined, form: uuidIn, required: true },
  fileType: oneOf(fileTypes, { required: true }),
  omRecordId: text(200),
  files: { holds: (value) => Array.isArray(value) && value.length > 0 && value.length <= 20, required: true }
}

export const issueUploadUrls: Rule = (turn) => {
  const { organisation, model } = turn
  const { pointers, values } = read(request, [], turn.call.body, "create")
  const files: ReadonlyArray<unknown> = Array.isArray(values["files"]) ? values["files"] : []
  const reads = files.map((one, index) => read(file, [], one, "create", `/files/${index}`))
  const type = String(values["fileType"])
  const omRecordId = type === "om-documents" ? (values["omRecordId"] ?? null) : null
  const faults = [
    ...pointers,
    ...(type === "om-documents" && omRecordId === null && !pointers.includes("/omRecordId") ? ["/omRecordId"] : []),
    ...reads.flatMap((one) => one.pointers),
    ...reads.flatMap((one, index) =>
      isEarlier(one.values["validUntil"], one.values["validFrom"]) ? [`/files/${index}/validUntil`] : []
    )
  ]
  if (faults.length > 0) return invalid(faults)
  const siteId = String(values["siteId"])
  if (!organisation.sites.has(siteId)) return refused(404, "site_not_found")
  const results = reads.map(({ values: members }, index) => {
    const { filename } = members
    const code = faultOf(turn, type, siteId, members)
    if (code !== undefined) return { index, filename, success: false, error: { code, detail: anyText } }
    const document = template(turn, { siteId, type, omRecordId: omRecordId as string | null }, members)
    const documentId = newId(model, (found) => {
      document.id = found
      organisation.documents.set(found, document)
      emitDocument(turn, "requested", null, document)
    })
    // The id is read first: the address ends with it.
    return { documentId, filename, success: true, uploadUrl: addressOf(turn, document, document.sizeBytes) }
  })
  const successful = results.filter(({ success }) => success).length
  const summary = { total: results.length, successful, failed: results.length - successful }
  return ok(200, { results, summary })
}

/** The entry with a new address; undefined for a document that has its file. */
export const reissue = (turn: Turn, document: Document): Record<string, unknown> | undefined => {
  if (document.status !== "pending" && document.status !== "failed") return undefined
  // The next file of a rejected document may have any length.
  const isRejected =
    document.failureReason !== null && !/^(nothing arrived|already_replaced)/.test(document.failureReason)
  const sizeBytes = isRejected ? null : document.sizeBytes
  const values = { status: "pending", sizeBytes, failureReason: null }
  if (document.status === "failed") changeDocument(turn, document, "reissued", values)
  else {
    emitDocument(turn, "reissued", document, document)
  }
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
