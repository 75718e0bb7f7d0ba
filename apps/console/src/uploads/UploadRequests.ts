/**
 * Uploads in requests for addresses.
 */
import type { Upload } from "./Upload.ts"

/** Uploads of a group share a request for addresses. */
export const groupOf = ({ terms: { omRecordId, purpose, siteId } }: Upload): string =>
  JSON.stringify([siteId, purpose, omRecordId])

/** The file as a request names it. */
export const fileOf = ({ file, sizeBytes, terms: { documentType, replaces, validFrom, validUntil } }: Upload) => ({
  filename: file.name,
  mimeType: file.type,
  fileSize: sizeBytes,
  documentType,
  validFrom,
  validUntil,
  replaces
})
