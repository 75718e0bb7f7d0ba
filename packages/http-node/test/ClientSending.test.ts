import { createServer } from "node:http"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Fetch, UploadProgress } from "../src/client/index.ts"
import { makeClient, SolarSitesNetworkError, SolarSitesTimeoutError } from "../src/client/index.ts"
import { exampleDocument, exampleIssuedUpload } from "../src/contract/Examples.ts"
import { refusal, rejection, scripted, scriptedClient, success } from "./ClientSetup.ts"
import { closed, listening } from "./Setup.ts"

const bytes = new TextEncoder().encode("as built")

class FakeXhr {
  static act: (xhr: FakeXhr) => void
  static made: Array<FakeXhr> = []
  status = 0
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
  onload: (() => void) | null = null
  onerror: (() => void) | null = null
  readonly calls: Array<unknown> = []
  constructor() {
    FakeXhr.made.push(this)
  }
  open(...of: ReadonlyArray<string>) {
    this.calls.push(...of)
  }
  setRequestHeader(...of: ReadonlyArray<string>) {
    this.calls.push(...of)
  }
  send(body: unknown) {
    this.calls.push(body)
    queueMicrotask(() => FakeXhr.act(this))
  }
  abort() {
    this.calls.push("aborted")
  }
}

describe("sending a file", () => {
  const issued = {
    ...exampleIssuedUpload,
    success: true,
    uploadUrl: { ...exampleIssuedUpload.uploadUrl, method: "PUT" }
  } as const
  const pending = { ...exampleDocument, status: "pending" }
  const lost = () => new TypeError("fetch failed")
  afterEach(() => void vi.unstubAllGlobals())

  it("has the headers of the address, without the API key", async () => {
    const { client, seen } = scriptedClient([new Response()])
    await client.uploads.send(issued, bytes)
    const [put] = seen
    expect([put?.line.split("?")[0], put?.body]).toEqual([`PUT /${exampleDocument.path}`, "as built"])
    expect(Object.fromEntries(put?.headers ?? [])).toEqual(issued.uploadUrl.headers)
  })

  it("fails if the second address refuses it, too", async () => {
    const answers = [
      new Response(null, { status: 403 }),
      success(pending),
      success(issued),
      new Response(null, { status: 403 })
    ]
    const { client } = scriptedClient(answers)
    expect(await rejection(client.uploads.send(issued, bytes))).toMatchObject({
      code: "upload_refused",
      status: 403,
      attempts: 2
    })
  })

  it("succeeds if the connection was lost but storage has the file", async () => {
    const sent: Array<number> = []
    const onProgress = ({ sentBytes }: UploadProgress) => void sent.push(sentBytes)
    const seen = scriptedClient([lost(), success(exampleDocument)])
    await seen.client.uploads.send(issued, bytes, { onProgress })
    const found = scriptedClient([lost(), success(pending), refusal("invalid_transition")])
    await found.client.uploads.send(issued, bytes, { onProgress })
    expect(sent).toEqual([0, 8, 0, 8])
  })

  it("succeeds after storage closed a real connection during a large file", async () => {
    let received = 0
    let puts = 0
    const server = createServer((request, response) => {
      puts += 1
      if (puts === 1) return response.writeHead(403, { connection: "close" }).end(() => request.socket.destroy())
      request.on("data", (chunk: Uint8Array) => (received += chunk.length))
      request.on("end", () => response.writeHead(200).end())
    })
    const url = `http://127.0.0.1:${await listening(server)}/file`
    const here = { ...issued, uploadUrl: { ...issued.uploadUrl, url } }
    const api = scripted(success(pending), success(here))
    const send: Fetch = (request) => (request.url === url ? fetch(request) : api.fetch(request))
    const client = makeClient({ baseUrl: "http://localhost", apiKey: "key", fetch: send })
    await client.uploads.send(here, new Blob([new Uint8Array(16 * 1024 * 1024)])).finally(() => closed(server))
    expect([puts, received]).toEqual([2, 16 * 1024 * 1024])
  })

  it.each([
    [412, "already_uploaded"],
    [413, "file_too_large"],
    [507, "upload_refused"]
  ])("translates the status %i of storage", async (status, code) => {
    const { client } = scriptedClient([new Response(null, { status })])
    expect(await rejection(client.uploads.send(issued, bytes))).toMatchObject({ code, status })
  })

  it("fails after a lost connection, a timeout, or an abort", async () => {
    const never = () => new Promise<Response>(() => {})
    const disconnected = scriptedClient([lost(), success(pending), success(issued), lost()])
    expect(await rejection(disconnected.client.uploads.send(issued, bytes))).toBeInstanceOf(SolarSitesNetworkError)
    const slow = scriptedClient([never])
    const late = await rejection(slow.client.uploads.send(issued, bytes, { timeoutMillis: 1 }))
    expect(late).toBeInstanceOf(SolarSitesTimeoutError)
    expect(`${late}`).not.toContain(issued.uploadUrl.token)
    const reason = new Error("cancelled by the test")
    const controller = new AbortController()
    const call = scriptedClient([never]).client.uploads.send(issued, bytes, { signal: controller.signal })
    controller.abort(reason)
    expect(await rejection(call)).toBe(reason)
    const absent = scriptedClient([new Response(null, { status: 403 }), refusal("document_not_found")])
    expect(await rejection(absent.client.uploads.send(issued, bytes))).toMatchObject({ code: "document_not_found" })
  })

  /** A client in a page; the test acts for the server. */
  const browser = (act: (xhr: FakeXhr) => void) => {
    FakeXhr.act = act
    FakeXhr.made = []
    vi.stubGlobal("XMLHttpRequest", FakeXhr)
    return makeClient({ baseUrl: "http://localhost", apiKey: "key" })
  }

  it("reports progress in a browser", async () => {
    const client = browser((xhr) => {
      xhr.upload.onprogress?.({ loaded: 3 })
      xhr.status = 200
      xhr.onload?.()
    })
    const sent: Array<number> = []
    await client.uploads.send(issued, bytes, { onProgress: ({ sentBytes }) => sent.push(sentBytes) })
    expect(sent).toEqual([0, 3, 8])
    const { method, url } = issued.uploadUrl
    expect(FakeXhr.made[0]?.calls).toEqual([method, url, "content-type", exampleDocument.mimeType, bytes])
  })

  it("fails and is cancelled in a browser", async () => {
    const onProgress = () => {}
    const failing = browser((xhr) => xhr.onerror?.())
    vi.stubGlobal("fetch", scripted(refusal("document_not_found")).fetch)
    expect(await rejection(failing.uploads.send(issued, bytes, { onProgress }))).toMatchObject({
      code: "document_not_found"
    })
    const controller = new AbortController()
    const reason = new Error("cancelled by the test")
    const waiting = browser(() => controller.abort(reason))
    const { signal } = controller
    expect(await rejection(waiting.uploads.send(issued, bytes, { onProgress, signal }))).toBe(reason)
    expect(FakeXhr.made[0]?.calls.at(-1)).toBe("aborted")
  })
})
