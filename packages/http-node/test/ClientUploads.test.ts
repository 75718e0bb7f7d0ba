import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import type { SolarSitesClient, UploadProgress } from "../src/client/index.ts"
import {
  makeClient,
  SolarSitesNetworkError,
  SolarSitesTimeoutError,
  SolarSitesUploadError
} from "../src/client/index.ts"
import { exampleDocument, exampleIssuedUpload } from "../src/contract/Examples.ts"
import { refusal, rejection, scriptedClient, success, withStorage } from "./ClientScene.ts"
import { makeScene, type Scene } from "./Scene.ts"

const bytes = new TextEncoder().encode("as built")
const file = { filename: "plan.txt", mimeType: "text/plain" }

describe("an upload", () => {
  let scene: Scene
  let storage: ReturnType<typeof withStorage>
  let client: SolarSitesClient
  let siteId: string
  beforeAll(async () => {
    scene = await makeScene()
    storage = withStorage(scene)
    const { key } = await scene.join("Sunfield")
    client = makeClient({ baseUrl: storage.binding.base, apiKey: key, fetch: storage.fetch })
    siteId = (await client.sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })).id
  })
  afterAll(async () => {
    await storage.binding.close()
    await scene.close()
  })
  afterEach(() => void storage.puts.splice(0))

  const issue = async (more: object = {}) => {
    const { results } = await client.uploads.issue({ siteId, fileType: "documents", files: [{ ...file, ...more }] })
    const [result] = results
    if (result === undefined) throw new Error("no result")
    return result
  }
  const issued = async () => {
    const result = await issue()
    if (!result.success) throw new Error(result.error.code)
    return result
  }

  it.each([
    ["bytes", bytes],
    ["a buffer", bytes.slice().buffer],
    ["a Blob of another type", new Blob([bytes], { type: "application/pdf" })]
  ])("goes from the address to a download: %s", async (_, body) => {
    const result = await issued()
    const progress: Array<UploadProgress> = []
    await client.uploads.send(result, body, { onProgress: (step) => progress.push(step) })
    expect(progress).toEqual([
      { sentBytes: 0, totalBytes: 8 },
      { sentBytes: 8, totalBytes: 8 }
    ])
    const document = await client.documents.changeStatus(result.documentId, { status: "uploaded" })
    expect(document).toMatchObject({ status: "uploaded", sizeBytes: 8, mimeType: "text/plain" })
    const { url } = await client.documents.downloadUrl(document.id)
    expect((await scene.fetchFile(url)).status).toBe(403)
    expect((await client.documents.list({ siteId, status: "uploaded" })).data).toContainEqual(document)
    await client.documents.changeStatus(document.id, { status: "failed", reason: "blurred" }, { ifMatch: 2 })
    expect((await client.uploads.reissue(document.id)).success).toBe(true)
    expect((await client.documents.get(document.id)).status).toBe("pending")
    await client.documents.delete(document.id)
  })

  it("goes once more to a new address when the first one has lapsed", async () => {
    const result = await issued()
    await storage.advance(61)
    await client.uploads.send(result, bytes)
    expect(storage.puts).toEqual([403, 200])
    expect((await client.documents.changeStatus(result.documentId, { status: "uploaded" })).sizeBytes).toBe(8)
  })

  it("is not sent again when the document waits no more", async () => {
    const result = await issued()
    await client.uploads.send(result, bytes)
    const there = await rejection(client.uploads.send(result, bytes))
    expect(there).toMatchObject({ code: "already_uploaded", status: 409, documentId: result.documentId })
    await storage.advance(61)
    // Nobody has told the service yet: it looks when it is asked for a new address.
    expect(await rejection(client.uploads.send(result, bytes))).toMatchObject({ code: "already_uploaded" })
    const known = await rejection(client.uploads.send(result, bytes))
    expect(known).toMatchObject({ code: "already_uploaded", status: 403, documentStatus: "uploaded" })
    await client.documents.changeStatus(result.documentId, { status: "failed", reason: "blurred" })
    const failed = await rejection(client.uploads.send(result, bytes))
    expect(failed).toMatchObject({ code: "address_lapsed", documentStatus: "failed" })
    await client.documents.delete(result.documentId)
    expect(await rejection(client.uploads.send(result, bytes))).toMatchObject({ code: "document_not_found" })
    expect(storage.puts).toEqual([200, 409, 403, 403, 403, 403])
  })

  it("is not begun when policy has refused the file", async () => {
    const error = await rejection(client.uploads.send(await issue({ filename: "a/b.txt" }), bytes))
    expect(error).toBeInstanceOf(SolarSitesUploadError)
    expect(error).toMatchObject({ code: "invalid_filename", documentId: null, attempts: 0 })
    expect(storage.puts).toEqual([])
  })

  it("ends when storage refuses what it gets", async () => {
    const wrong = await rejection(client.uploads.send(await issue({ fileSize: 3 }), bytes))
    expect(wrong).toMatchObject({ code: "upload_refused", status: 400 })
    const result = await issued()
    const foreign = { ...result, uploadUrl: { ...result.uploadUrl, headers: { "content-type": "text/html" } } }
    await client.uploads.send(foreign, bytes)
    expect(storage.puts).toEqual([400, 403, 200])
  })
})

describe("sending a file", () => {
  const issued = {
    ...exampleIssuedUpload,
    success: true,
    uploadUrl: { ...exampleIssuedUpload.uploadUrl, method: "PUT" }
  } as const
  afterEach(() => void vi.unstubAllGlobals())

  it("carries the given headers and never the key", async () => {
    const { client, seen } = scriptedClient([new Response()])
    await client.uploads.send(issued, bytes)
    const [put] = seen
    expect([put?.line.split("?")[0], put?.body]).toEqual([`PUT /${exampleDocument.path}`, "as built"])
    expect(Object.fromEntries(put?.headers ?? [])).toEqual(issued.uploadUrl.headers)
  })

  it("is refused by the second address as well, and tried no more", async () => {
    const pending = { ...exampleDocument, status: "pending" }
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

  it.each([
    [412, "already_uploaded"],
    [413, "file_too_large"],
    [507, "upload_refused"]
  ])("says what %i of storage means", async (status, code) => {
    const { client } = scriptedClient([new Response(null, { status })])
    expect(await rejection(client.uploads.send(issued, bytes))).toMatchObject({ code, status })
  })

  it("ends with the connection, in time, or when it is broken off", async () => {
    const never = () => new Promise<Response>(() => {})
    const lost = scriptedClient([new TypeError("fetch failed")])
    expect(await rejection(lost.client.uploads.send(issued, bytes))).toBeInstanceOf(SolarSitesNetworkError)
    const slow = scriptedClient([never])
    const late = await rejection(slow.client.uploads.send(issued, bytes, { timeoutMillis: 1 }))
    expect(late).toBeInstanceOf(SolarSitesTimeoutError)
    expect(`${late}`).not.toContain(issued.uploadUrl.token)
    const reason = new Error("enough")
    const controller = new AbortController()
    const call = scriptedClient([never]).client.uploads.send(issued, bytes, { signal: controller.signal })
    controller.abort(reason)
    expect(await rejection(call)).toBe(reason)
    const absent = scriptedClient([new Response(null, { status: 403 }), refusal("document_not_found")])
    expect(await rejection(absent.client.uploads.send(issued, bytes))).toMatchObject({ code: "document_not_found" })
  })

  /** Does with a request of a page what the test says. */
  const browser = (act: (xhr: FakeXhr) => void) => {
    const made: Array<FakeXhr> = []
    class FakeXhr {
      status = 0
      readonly upload: { onprogress: ((event: { loaded: number }) => void) | null } = { onprogress: null }
      onload: (() => void) | null = null
      onerror: (() => void) | null = null
      readonly said: Array<unknown> = []
      constructor() {
        made.push(this)
      }
      open(...of: ReadonlyArray<string>) {
        this.said.push(...of)
      }
      setRequestHeader(...of: ReadonlyArray<string>) {
        this.said.push(...of)
      }
      send(body: unknown) {
        this.said.push(body)
        queueMicrotask(() => act(this))
      }
      abort() {
        this.said.push("aborted")
      }
    }
    vi.stubGlobal("XMLHttpRequest", FakeXhr)
    const client = makeClient({ baseUrl: "http://localhost", apiKey: "key" })
    return { client, made }
  }

  it("reports its progress in a browser", async () => {
    const { client, made } = browser((xhr) => {
      xhr.upload.onprogress?.({ loaded: 3 })
      xhr.status = 200
      xhr.onload?.()
    })
    const sent: Array<number> = []
    await client.uploads.send(issued, bytes, { onProgress: ({ sentBytes }) => sent.push(sentBytes) })
    expect(sent).toEqual([0, 3, 8])
    const { method, url } = issued.uploadUrl
    expect(made[0]?.said).toEqual([method, url, "content-type", exampleDocument.mimeType, bytes])
  })

  it("fails and is broken off in a browser as elsewhere", async () => {
    const onProgress = () => {}
    const failing = browser((xhr) => xhr.onerror?.())
    expect(await rejection(failing.client.uploads.send(issued, bytes, { onProgress }))).toMatchObject({
      code: "network_failed"
    })
    const controller = new AbortController()
    const reason = new Error("enough")
    const waiting = browser(() => controller.abort(reason))
    const { signal } = controller
    expect(await rejection(waiting.client.uploads.send(issued, bytes, { onProgress, signal }))).toBe(reason)
    expect(waiting.made[0]?.said.at(-1)).toBe("aborted")
  })
})
