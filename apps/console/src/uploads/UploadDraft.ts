/**
 * Chosen files before they are sent, each with the metadata of its document.
 */
import { readMimeType, refusalOfFile } from "@solar-sites/core/model"
import type { Document } from "@solar-sites/http-node/client"
import type { Configuration } from "../api/Console.ts"
import { faultText } from "../api/failures.ts"
import type { Purpose } from "../documents/Purpose.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import { asSentence } from "../texts/formats.ts"
import type { NewUpload, SizedFile } from "./Upload.ts"

/** Most files of the upload dialog; further ones are left out. */
export const maximumDrafts = 1_000

/** Values of the inputs; empty text stands for null. */
export interface DraftTerms {
  readonly purpose: Purpose
  readonly documentType: Document["documentType"]
  readonly omRecordId: string
  readonly validFrom: string
  readonly validUntil: string
  readonly replaces: Pick<Document, "id" | "filename"> | null
}

export interface UploadDraft extends SizedFile {
  readonly id: number
  readonly terms: DraftTerms
}

export const emptyTerms: DraftTerms = {
  purpose: "documents",
  documentType: null,
  omRecordId: "",
  validFrom: "",
  validUntil: "",
  replaces: null
}

/** The reason for which the file is not sent. The server checks all but the empty file again. */
export const faultOfDraft = (
  { file, sizeBytes, terms: { omRecordId, purpose, validFrom, validUntil } }: UploadDraft,
  limits: Configuration["uploads"]
): string | undefined => {
  if (sizeBytes === 0) return texts.empty
  const mimeType = readMimeType(file.type)
  const refusal = refusalOfFile(limits, purpose, { filename: file.name, mimeType, sizeBytes })
  if (refusal?.code === "invalid_filename") return texts.badName(faultText(refusal))
  if (refusal?.code === "file_too_large") return texts.tooLarge(purpose, limits)
  if (refusal !== undefined) return `${asSentence(faultText(refusal))}.`
  if (purpose === "om-documents" && omRecordId.trim() === "") return texts.omRecordMissing
  return validFrom !== "" && validUntil !== "" && validUntil < validFrom ? texts.validityReversed : undefined
}

/** True for a file of a type that the browser does not know. It is stored as plain bytes. */
export const isUnknownType = ({ file }: UploadDraft): boolean => readMimeType(file.type) === "application/octet-stream"

const orNull = (text: string): string | null => (text === "" ? null : text)

export const uploadOf = ({ file, sizeBytes, terms }: UploadDraft, siteId: string): NewUpload => ({
  file,
  sizeBytes,
  terms: {
    siteId,
    purpose: terms.purpose,
    omRecordId: terms.purpose === "om-documents" ? terms.omRecordId : null,
    documentType: terms.purpose === "coverImage" ? null : terms.documentType,
    validFrom: orNull(terms.validFrom),
    validUntil: orNull(terms.validUntil),
    replaces: terms.replaces?.id ?? null
  }
})
