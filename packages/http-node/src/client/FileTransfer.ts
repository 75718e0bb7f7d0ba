/**
 * Sends one file to its upload address. The body is not streamed: signed addresses require a
 * content length.
 */
import type { PlainUploadAddress } from "@solar-sites/core/model"
import { SolarSitesNetworkError, SolarSitesTimeoutError } from "./ClientErrors.ts"
import type { Fetch, SendOptions, UploadProgress } from "./ClientOptions.ts"
import { within } from "./Retry.ts"
import { fetchOf } from "./Transport.ts"

/** The bytes of a file. In Node, `openAsBlob(path)` of node:fs reads from disk while sending. */
export type UploadFileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>

/** The part of a browser's `XMLHttpRequest` in use. `fetch` reports no upload progress. */
interface Xhr {
  readonly status: number
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  send(body: UploadFileBody): void
  abort(): void
}

// A variable, so that the type does not depend on the DOM library.
const browserRequest: string = "XMLHttpRequest"

const defaultTimeoutMillis = 600_000
const sent = { what: "Sending the file", attempts: 1 }

/** The progress of a file that was sent. */
export const whole = (file: UploadFileBody): UploadProgress => {
  const totalBytes = file instanceof Blob ? file.size : file.byteLength
  return { sentBytes: totalBytes, totalBytes }
}

const byXhr = (
  make: new () => Xhr,
  { headers, method, url }: PlainUploadAddress,
  file: UploadFileBody,
  signal: AbortSignal,
  report: (sentBytes: number) => void
): Promise<number> =>
  new Promise((resolve, reject) => {
    const xhr = new make()
    const stop = () => xhr.abort()
    const end = (settle: () => void) => () => {
      signal.removeEventListener("abort", stop)
      settle()
    }
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded }) => report(loaded)
    xhr.onload = end(() => resolve(xhr.status))
    xhr.onerror = end(() => reject(new SolarSitesNetworkError(sent)))
    signal.addEventListener("abort", stop, { once: true })
    xhr.send(file)
  })

const byFetch = async (
  fetch: Fetch,
  { headers, method, url }: PlainUploadAddress,
  file: UploadFileBody,
  signal: AbortSignal
): Promise<number> => {
  const request = new Request(url, { method, headers, body: file, signal })
  try {
    const response = await fetch(request)
    await response.body?.cancel()
    return response.status
  } catch (cause) {
    throw new SolarSitesNetworkError(sent, cause)
  }
}

/** Returns the HTTP status of storage. */
export const transfer = async (
  given: Fetch | undefined,
  address: PlainUploadAddress,
  file: UploadFileBody,
  { onProgress, signal, timeoutMillis = defaultTimeoutMillis }: SendOptions
): Promise<number> => {
  const end = whole(file)
  const report = (sentBytes: number): void => onProgress?.({ ...end, sentBytes })
  const browsers: (new () => Xhr) | undefined = Reflect.get(globalThis, browserRequest)
  const limits = { signal, timeoutMillis, timeoutError: () => new SolarSitesTimeoutError(sent, timeoutMillis) }
  const status = await within(limits, (signal) => {
    report(0)
    return given === undefined && onProgress !== undefined && browsers !== undefined
      ? byXhr(browsers, address, file, signal, report)
      : byFetch(fetchOf(given), address, file, signal)
  })
  if (status >= 200 && status < 300) onProgress?.(end)
  return status
}
