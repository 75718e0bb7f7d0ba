/**
 * One file on its way to storage.
 */
import {
  type Document,
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesUploadError
} from "@solar-sites/http-node/client"
import { problemText } from "../api/failures.ts"
import type { Purpose } from "../documents/Purpose.ts"

/** Site of a file, and metadata of its document. */
export interface UploadTerms {
  readonly siteId: string
  readonly purpose: Purpose
  /** Null unless the purpose is `om-documents`. */
  readonly omRecordId: string | null
  readonly documentType: Document["documentType"]
  readonly validFrom: string | null
  readonly validUntil: string | null
  /** Id of the document that this file is a new revision of. */
  readonly replaces: string | null
}

/**
 * `refused`: the service refuses the file; sending it again would end the same way.
 * `interrupted`: the file has not arrived and can be sent again.
 * `failed`: the service has failed the document; the file can be sent again.
 * `stopped`: the user has stopped it; the file can be sent again.
 */
export type UploadState =
  | "waiting"
  | "sending"
  | "checking"
  | "uploaded"
  | "refused"
  | "interrupted"
  | "failed"
  | "stopped"

export interface UploadFault {
  /** `document_failed` for a failed document, else the code of an error of the client. */
  readonly code: string
  readonly detail: string
  /** Where the file was sent to, when no answer came from there. */
  readonly origin?: string
}

/**
 * A file before its upload. `sizeBytes` is read once: browsers look at the disk, and wait for it,
 * whenever a script reads `file.size`.
 */
export interface SizedFile {
  readonly file: File
  readonly sizeBytes: number
}

export interface NewUpload extends SizedFile {
  readonly terms: UploadTerms
}

export interface Upload extends NewUpload {
  readonly id: number
  readonly state: UploadState
  readonly sentBytes: number
  readonly documentId: string | null
  /** False for a document that existed before this upload. */
  readonly madeDocument: boolean
  readonly fault: UploadFault | null
}

/** True while the queue works on it. */
export const isUnderWay = ({ state }: Upload): boolean =>
  state === "waiting" || state === "sending" || state === "checking"

export const canRetry = ({ state }: Upload): boolean =>
  state === "interrupted" || state === "failed" || state === "stopped"

/** The error that ended an upload to `url`. */
export const faultOf = (error: unknown, url?: string): UploadFault => {
  if (error instanceof SolarSitesProblem) return { code: error.code, detail: problemText(error) }
  if (error instanceof SolarSitesUploadError) return { code: error.code, detail: error.message }
  if (error instanceof SolarSitesNetworkError) {
    return { code: error.code, detail: "", ...(url === undefined ? {} : { origin: new URL(url).origin }) }
  }
  return { code: "unexpected", detail: error instanceof Error ? error.message : String(error) }
}

const finalCodes: ReadonlyArray<string> = [
  "invalid_filename",
  "mime_type_not_allowed",
  "file_too_large",
  "replaces_not_found",
  "already_replaced",
  "replaces_not_uploaded"
]

/** True when sending the same file again would end the same way. */
export const isFinal = ({ code }: UploadFault): boolean => finalCodes.includes(code)
