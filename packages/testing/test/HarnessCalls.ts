/**
 * What the tests of the harness do with one, as an application would over HTTP.
 */
import type { UploadUrl } from "@solar-sites/testing"

export interface Answer {
  readonly status: number
  // What comes over the wire has no type; the tests look at what they need.
  readonly json: ReturnType<typeof JSON.parse>
}

type Fetch = (request: Request) => Promise<Response>

/** Sends `"POST /api/sites"` with a key and gives the answer with its parsed body. */
export const calling =
  (send: Fetch, apiKey: string) =>
  async (line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const [method = "GET", path = "/"] = line.split(" ")
    const all = {
      "x-api-key": apiKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    }
    const init = { method, headers: all, body: body === undefined ? null : JSON.stringify(body) }
    const response = await send(new Request(`http://solar.test${path}`, init))
    const text = await response.text()
    return { status: response.status, json: text === "" ? null : JSON.parse(text) }
  }

export type Call = ReturnType<typeof calling>

export const aNewSite = { siteName: "Long Meadow", capacity: 750, unit: "kW" }

export const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(7)

/** Asks for the address of one PDF of a new site. */
export const issue = async (
  call: Call,
  file: { readonly fileSize?: number; readonly mimeType?: string } = {},
  fileType = "documents"
): Promise<{ readonly uploadUrl: UploadUrl; readonly documentId: string }> => {
  const { json: site } = await call("POST /api/sites", aNewSite)
  const files = [{ filename: "Handover.pdf", mimeType: "application/pdf", ...file }]
  const { json } = await call("POST /api/docs/bulk-upload-url", { siteId: site.id, fileType, files })
  return json.results[0]
}
