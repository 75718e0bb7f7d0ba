/**
 * Validates uploads and queries by hand.
 */
import { decodeCursor, type SiteQuery, wholeList } from "./pages.ts"
import { objectOf, refuse, uuid } from "./readers.ts"
import { documentTypes, type UploadFile, type UploadInput } from "./uploads.ts"

const file = (value: unknown, pointer: string): UploadFile => {
  const { documentType = null, fileSize = null, filename, mimeType, ...others } = objectOf(value, pointer)
  for (const key in others) return refuse(`${pointer}/${key}`, "unknown_member", "is unknown")
  if (typeof filename !== "string" || typeof mimeType !== "string")
    return refuse(pointer, "required", "needs filename and mimeType")
  if (fileSize !== null && (!Number.isSafeInteger(fileSize) || Number(fileSize) < 0))
    return refuse(`${pointer}/fileSize`, "out_of_range", "must be a whole number")
  const type = documentType === null ? null : documentTypes.find((known) => known === documentType)
  if (type === undefined) return refuse(`${pointer}/documentType`, "invalid_value", "is unknown")
  return { filename, mimeType, fileSize: fileSize === null ? null : Number(fileSize), documentType: type }
}

const fileTypes = ["documents", "om-documents", "coverImage"] as const

export const readUploads = (body: unknown): UploadInput => {
  const { fileType, files, omRecordId, siteId, ...others } = objectOf(body, "")
  for (const key in others) return refuse(`/${key}`, "unknown_member", "is unknown")
  const type = fileTypes.find((known) => known === fileType) ?? refuse("/fileType", "invalid_value", "is unknown")
  if (type === "om-documents" && typeof omRecordId !== "string") return refuse("/omRecordId", "required", "is required")
  if (!Array.isArray(files) || files.length < 1 || files.length > 20)
    return refuse("/files", "too_many", "must be 1 to 20 files")
  return {
    siteId: uuid(siteId, "/siteId"),
    fileType: type,
    omRecordId,
    files: files.map((one, n) => file(one, `/files/${n}`))
  }
}

const onlyMember = (body: unknown, name: string): unknown => {
  const { [name]: member, ...others } = objectOf(body, "")
  for (const key in others) return refuse(`/${key}`, "unknown_member", "is unknown")
  return member
}

/** Sites to move, each once. */
export const readSelection = (body: unknown): ReadonlyArray<string> => {
  const ids = onlyMember(body, "siteIds")
  if (!Array.isArray(ids) || ids.length < 1 || ids.length > 1_000)
    return refuse("/siteIds", "too_many", "must be 1 to 1000 ids")
  return [...new Set(ids.map((id, n) => uuid(id, `/siteIds/${n}`)))]
}

/** The state that a document is to have. */
export const readStep = (body: unknown): "approved" | "completed" => {
  const status = onlyMember(body, "status")
  return status === "approved" || status === "completed"
    ? status
    : refuse("/status", "invalid_value", "must be approved or completed")
}

export const readQuery = (parameters: URLSearchParams): SiteQuery => {
  const query: { -readonly [Key in keyof SiteQuery]: SiteQuery[Key] } = { limit: wholeList }
  for (const [key, value] of parameters) {
    if (key === "limit" && /^([1-9]\d{0,2}|1000)$/.test(value)) query.limit = Number(value)
    else if (key === "cursor") query.after = decodeCursor(value)
    else if (key === "portfolioId" || key === "siteId") query[key] = uuid(value, `/${key}`)
    else refuse(`/${key}`, "invalid_value", "is not right here")
  }
  return query
}
