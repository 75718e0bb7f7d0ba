/**
 * Upload addresses: each file is checked, signed and stored as a pending document before the
 * response.
 */
import { v7 } from "uuid"
import type { Origin } from "./events.ts"
import type { NewDocument } from "./model.ts"
import type { Sign } from "./signing.ts"
import type { Store } from "./store.ts"

export interface UploadFile {
  readonly filename: string
  readonly mimeType: string
  readonly fileSize?: number | null | undefined
  readonly documentType?: string | null | undefined
}

export interface UploadInput {
  readonly siteId: string
  readonly fileType: "documents" | "om-documents" | "coverImage"
  readonly omRecordId?: unknown
  readonly files: ReadonlyArray<UploadFile>
}

export const documentTypes = [
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
] as const

const life = 60_000
const mebibyte = 1_048_576
const coverTypes = /^image\/(jpeg|png|webp)$/
const runnable =
  /^(text\/(html|javascript|ecmascript|vbscript)|image\/svg\+xml|application\/(xhtml\+xml|javascript|x-sh|x-msdownload|java-archive|wasm))$/
const mediaType = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*(;.*)?$/

const refusalOf = (fileType: string, filename: string, mimeType: string, sizeBytes: number | null) => {
  const isName =
    /^[^\p{Cc}\p{Cs}/\\]+$/u.test(filename) && !/^\.\.?$/.test(filename) && Buffer.byteLength(filename) <= 255
  if (!isName) {
    const detail = "must have 1 to 255 bytes, no path separators and no control characters, and not be . or .."
    return { code: "invalid_filename", detail }
  }
  if (fileType === "coverImage" && !coverTypes.test(mimeType)) {
    return { code: "mime_type_not_allowed", detail: "a cover image must be image/jpeg, image/png or image/webp" }
  }
  if (runnable.test(mimeType)) {
    const detail = "files that a browser or an operating system would run are not accepted"
    return { code: "mime_type_not_allowed", detail }
  }
  const maximum = (fileType === "coverImage" ? 20 : 100) * mebibyte
  if (sizeBytes === null || sizeBytes <= maximum) return undefined
  return { code: "file_too_large", detail: `must have at most ${maximum} bytes` }
}

const judge = (input: UploadInput, file: UploadFile) => {
  const mimeType = mediaType.exec(file.mimeType)?.[1]?.toLowerCase() ?? "application/octet-stream"
  const sizeBytes = file.fileSize ?? null
  const refusal = refusalOf(input.fileType, file.filename, mimeType, sizeBytes)
  if (refusal !== undefined) return { filename: file.filename, refusal }
  const document: NewDocument = {
    id: v7(),
    type: input.fileType,
    documentType: file.documentType ?? null,
    filename: file.filename,
    mimeType,
    sizeBytes,
    omRecordId: input.fileType === "om-documents" ? String(input.omRecordId) : null
  }
  return { filename: file.filename, document }
}

export const issueUploads = async (
  store: Pick<Store, "insertDocuments">,
  sign: Sign,
  origin: Origin,
  input: UploadInput
) => {
  const { at, organisationId } = origin
  const expiresAt = new Date(at.getTime() + life)
  const judged = input.files.map((file) => judge(input, file))
  const documents = judged.flatMap(({ document }) => (document === undefined ? [] : [document]))
  const folder = `${organisationId}/${input.siteId}`
  const addresses = await sign(
    documents.map(({ id, mimeType, sizeBytes }) => ({ key: `${folder}/${id}`, mimeType, sizeBytes })),
    at
  )
  await store.insertDocuments(origin, { siteId: input.siteId, documents, expiresAt })
  const addressOf = new Map(documents.map((document, index) => [document, addresses[index]]))
  const results = judged.map(({ document, filename, refusal }, index) => {
    const address = document && addressOf.get(document)
    if (document === undefined || address === undefined) return { index, filename, success: false, error: refusal }
    const { path, token } = address
    const headers = { "content-type": document.mimeType, "if-none-match": "*" }
    const uploadUrl = { path, token, url: `${path}?${token}`, method: "PUT", headers, expiresAt }
    return { filename, success: true, uploadUrl, documentId: document.id }
  })
  const [total, successful] = [judged.length, documents.length]
  return { results, summary: { total, successful, failed: total - successful } }
}
