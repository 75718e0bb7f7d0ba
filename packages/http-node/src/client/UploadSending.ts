/**
 * The second step of an upload: the file goes to storage, by a new address if
 * the first one has lapsed.
 */
import { SolarSitesProblem, SolarSitesUploadError, type UploadErrorCode } from "./ClientErrors.ts"
import type { CallOptions, Fetch, SendOptions } from "./ClientOptions.ts"
import { transfer, type UploadFileBody } from "./FileTransfer.ts"
import type { Document, IssuedUpload, RefusedUpload, UploadAddress } from "./Wire.ts"

/** What sending needs of the service. */
export interface UploadCalls {
  readonly get: (documentId: string, options: CallOptions) => Promise<Document>
  readonly reissue: (documentId: string, options: CallOptions) => Promise<IssuedUpload>
}

const refusals: Partial<Record<number, readonly [UploadErrorCode, string]>> = {
  403: ["upload_refused", "Storage does not accept the address or the headers."],
  409: ["already_uploaded", "There is a file at this address already."],
  412: ["already_uploaded", "There is a file at this address already."],
  413: ["file_too_large", "The file is larger than its address allows."]
}

const reasonOf = (status: number): readonly [UploadErrorCode, string] =>
  refusals[status] ?? ["upload_refused", `Storage has refused the file with ${status}.`]

/** The address of a document that still waits; throws when it does not. */
const renew = async (
  { get, reissue }: UploadCalls,
  documentId: string,
  options: CallOptions
): Promise<UploadAddress> => {
  const { status: documentStatus } = await get(documentId, options)
  const about = { attempts: 1, documentId, status: 403, documentStatus }
  if (documentStatus === "failed") {
    throw new SolarSitesUploadError("address_lapsed", "The address has lapsed; have a new one issued.", about)
  }
  const arrived = "The file has arrived already, by an address that has lapsed since."
  if (documentStatus !== "pending") throw new SolarSitesUploadError("already_uploaded", arrived, about)
  try {
    return (await reissue(documentId, options)).uploadUrl
  } catch (error) {
    // The service has looked for the file, and found it.
    if (!(error instanceof SolarSitesProblem && error.code === "invalid_transition")) throw error
    throw new SolarSitesUploadError("already_uploaded", arrived, { attempts: 1, documentId, status: 403 }, error)
  }
}

export const makeSend =
  (calls: UploadCalls, fetch: Fetch | undefined) =>
  async (result: IssuedUpload | RefusedUpload, file: UploadFileBody, options: SendOptions = {}): Promise<void> => {
    if (!result.success) throw new SolarSitesUploadError(result.error.code, result.error.detail, { attempts: 0 })
    const { documentId, uploadUrl } = result
    const first = await transfer(fetch, uploadUrl, file, options)
    const lapsed = first === 403
    const status = lapsed
      ? await transfer(fetch, await renew(calls, documentId, { signal: options.signal }), file, options)
      : first
    if (status >= 200 && status < 300) return
    throw new SolarSitesUploadError(...reasonOf(status), { attempts: lapsed ? 2 : 1, documentId, status })
  }
