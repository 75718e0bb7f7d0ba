/**
 * One file on its way to storage, as the person sees it.
 */
import {
  type Document,
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesUploadError
} from "@solar-sites/http-node/client"

/** What all files of one drop have in common. */
export type UploadTerms = {
  readonly siteId: string
  readonly documentType: Document["documentType"]
} & (
  | { readonly fileType: "documents" | "coverImage" }
  | { readonly fileType: "om-documents"; readonly omRecordId: string }
)

/**
 * `refused`: policy will not have it, so there is nothing to repeat.
 * `interrupted`: it did not get there, and can be sent again.
 */
export type UploadState = "waiting" | "sending" | "checking" | "uploaded" | "refused" | "interrupted"

export interface UploadFault {
  readonly code: string
  readonly detail: string
}

export interface Upload {
  readonly id: number
  readonly file: File
  readonly terms: UploadTerms
  readonly state: UploadState
  readonly sentBytes: number
  readonly documentId: string | null
  readonly fault: UploadFault | null
}

/** True while it takes care of itself. */
export const isUnderWay = ({ state }: Upload): boolean =>
  state === "waiting" || state === "sending" || state === "checking"

/** What ended an upload, for its row. */
export const faultOf = (error: unknown): UploadFault => {
  if (error instanceof SolarSitesProblem) return { code: error.code, detail: error.detail }
  if (error instanceof SolarSitesUploadError) return { code: error.code, detail: error.message }
  if (error instanceof SolarSitesNetworkError) return { code: error.code, detail: "" }
  return { code: "unexpected", detail: error instanceof Error ? error.message : String(error) }
}

const finalCodes: ReadonlyArray<string> = ["invalid_filename", "mime_type_not_allowed", "file_too_large"]

/** True when sending the same file again would end the same way. */
export const isFinal = ({ code }: UploadFault): boolean => finalCodes.includes(code)

/** The files in requests of at most as many as the service takes. */
export const inBatches = <Item>(items: ReadonlyArray<Item>, size = 20): ReadonlyArray<ReadonlyArray<Item>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
