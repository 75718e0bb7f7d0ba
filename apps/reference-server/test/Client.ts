/** A client of the API: plain HTTP, a key, JSON. */
import { expect } from "vitest"

export interface UploadUrl {
  readonly url: string
  readonly path: string
  readonly token: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Issued {
  readonly documentId: string
  readonly uploadUrl: UploadUrl
}

/** Uploads a file to an issued address. */
export const send = (uploadUrl: Pick<UploadUrl, "url" | "headers">, body: Uint8Array<ArrayBuffer>) =>
  fetch(uploadUrl.url, { method: "PUT", headers: uploadUrl.headers, body })

export const clientOf = (address: string, apiKey: string) => {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { "x-api-key": apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
  }

  const createSite = async (): Promise<string> => {
    const { body, status } = await call("POST", "/api/sites", { siteName: "Long Meadow", capacity: 1, unit: "MWp" })
    expect(status).toBe(201)
    return body.id
  }

  /** Issues addresses for files of a site; throws if one is refused. */
  const issue = async (
    siteId: string,
    files: ReadonlyArray<{ readonly filename: string; readonly mimeType: string; readonly fileSize?: number }>,
    fileType = "documents"
  ): Promise<ReadonlyArray<Issued>> => {
    const { body, status } = await call("POST", "/api/docs/bulk-upload-url", { siteId, fileType, files })
    expect({ status, summary: body.summary }).toEqual({
      status: 200,
      summary: { total: files.length, successful: files.length, failed: 0 }
    })
    return body.results
  }

  const issueOne = async (siteId: string, file = { filename: "note.txt", mimeType: "text/plain" }): Promise<Issued> => {
    const [issued] = await issue(siteId, [file])
    if (issued === undefined) throw new Error("no address was issued")
    return issued
  }

  const statusOf = async (documentId: string): Promise<string> =>
    (await call("GET", `/api/docs/${documentId}`)).body.status

  const readiness = async () => Object(await (await fetch(`${address}/health/ready`)).json())

  return { call, createSite, issue, issueOne, statusOf, readiness }
}
