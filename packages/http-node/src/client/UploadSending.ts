/**
 * The second step of an upload: sends the file to storage. If the address has expired or the
 * connection was lost, the file is sent once more, to a new address.
 */
import type { PlainIssuedUpload, PlainRefusedUpload, PlainUploadAddress } from "@solar-sites/core/model"
import type { DocumentsClient } from "./Client.ts"
import {
  SolarSitesNetworkError,
  SolarSitesProblem,
  SolarSitesTimeoutError,
  SolarSitesUploadError,
  type UploadErrorCode
} from "./ClientErrors.ts"
import type { CallOptions, Fetch, SendOptions } from "./ClientOptions.ts"
import { transfer, type UploadFileBody, whole } from "./FileTransfer.ts"
import { checkCall } from "./Transport.ts"

type DocumentCalls = Pick<DocumentsClient, "get" | "reissueUpload">

const refusals: Partial<Record<number, readonly [UploadErrorCode, string]>> = {
  403: ["upload_refused", "Storage does not accept the address or the headers."],
  409: ["already_uploaded", "There is a file at this address already."],
  412: ["already_uploaded", "There is a file at this address already."],
  413: ["file_too_large", "The file is larger than its address allows."]
}

const reasonOf = (status: number): readonly [UploadErrorCode, string] =>
  refusals[status] ?? ["upload_refused", `Storage refused the file with ${status}.`]

type Renewal = PlainUploadAddress | "arrived"

/** A new address for a pending document; throws if the document has failed. */
const renew = async (
  { get, reissueUpload }: DocumentCalls,
  documentId: string,
  options: CallOptions
): Promise<Renewal> => {
  const { status: documentStatus } = await get(documentId, options)
  if (documentStatus === "failed") {
    const about = { attempts: 1, documentId, documentStatus }
    throw new SolarSitesUploadError(
      "address_lapsed",
      "The document has failed; issue a new address by documents.reissueUpload.",
      about
    )
  }
  if (documentStatus !== "pending") return "arrived"
  try {
    return (await reissueUpload(documentId, options)).uploadUrl
  } catch (error) {
    // The service found the file in storage.
    if (error instanceof SolarSitesProblem && error.code === "invalid_transition") return "arrived"
    throw error
  }
}

// Storage may close the connection instead of refusing a large file.
const noResponse = 0

const orNoResponse = (error: unknown): number => {
  if (error instanceof SolarSitesNetworkError && !(error instanceof SolarSitesTimeoutError)) return noResponse
  throw error
}

const isStored = (status: number): boolean => status >= 200 && status < 300

export const makeSend =
  (documents: DocumentCalls, fetch: Fetch | undefined) =>
  async (
    result: PlainIssuedUpload | PlainRefusedUpload,
    file: UploadFileBody,
    options: SendOptions = {}
  ): Promise<void> => {
    checkCall(options, "onProgress")
    if (!result.success) throw new SolarSitesUploadError(result.error.code, result.error.detail, { attempts: 0 })
    const { documentId, uploadUrl } = result
    const refuse = (status: number, attempts: number) =>
      new SolarSitesUploadError(...reasonOf(status), { attempts, documentId, status })

    const first = await transfer(fetch, uploadUrl, file, options).catch(orNoResponse)
    if (isStored(first)) return
    if (first !== 403 && first !== noResponse) throw refuse(first, 1)
    const renewed = await renew(documents, documentId, { signal: options.signal })
    if (renewed === "arrived") {
      // The file of the request without a response.
      if (first === noResponse) return options.onProgress?.(whole(file))
      throw refuse(409, 1)
    }
    const second = await transfer(fetch, renewed, file, options)
    if (!isStored(second)) throw refuse(second, 2)
  }
