import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { SolarSitesClient, UploadProgress } from "../src/client/index.ts"
import { makeClient, SolarSitesUploadError } from "../src/client/index.ts"
import { rejection, withStorage } from "./ClientSetup.ts"
import { makeSetup, type Setup } from "./Setup.ts"

const bytes = new TextEncoder().encode("as built")
const file = { filename: "plan.txt", mimeType: "text/plain" }

describe("an upload", () => {
  let setup: Setup
  let storage: ReturnType<typeof withStorage>
  let client: SolarSitesClient
  let siteId: string
  beforeAll(async () => {
    setup = await makeSetup()
    storage = withStorage(setup)
    const { key } = await setup.join("Sunfield")
    client = makeClient({ baseUrl: storage.binding.base, apiKey: key, fetch: storage.fetch })
    siteId = (await client.sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })).id
  })
  afterAll(async () => {
    await storage.binding.close()
    await setup.close()
  })
  afterEach(() => void storage.puts.splice(0))

  const issue = async (more: object = {}) => {
    const { results } = await client.documents.issueUploads({
      siteId,
      fileType: "documents",
      files: [{ ...file, ...more }]
    })
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
  ])("is stored and can be downloaded: %s", async (_, body) => {
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
    const name = expect.stringContaining(file.filename)
    expect(await storage.download(url)).toEqual({ status: 200, name, text: "as built" })
    expect((await client.documents.list({ siteId, status: "uploaded" })).data).toContainEqual(document)
    await client.documents.changeStatus(document.id, { status: "failed", reason: "blurred" }, { expectedVersion: 2 })
    expect((await client.documents.reissueUpload(document.id)).success).toBe(true)
    expect((await client.documents.get(document.id)).status).toBe("pending")
    await client.documents.delete(document.id)
  })

  it("is sent to a new address if the first one has expired", async () => {
    const result = await issued()
    await storage.advance(61)
    await client.uploads.send(result, bytes)
    expect(storage.puts).toEqual([403, 200])
    expect((await client.documents.changeStatus(result.documentId, { status: "uploaded" })).sizeBytes).toBe(8)
  })

  it("is not sent again if the document is not pending", async () => {
    const result = await issued()
    await client.uploads.send(result, bytes)
    const there = await rejection(client.uploads.send(result, bytes))
    expect(there).toMatchObject({ code: "already_uploaded", status: 412, documentId: result.documentId })
    await storage.advance(61)
    // The service does not know of the file yet. It looks before it issues a new address.
    expect(await rejection(client.uploads.send(result, bytes))).toMatchObject({ code: "already_uploaded" })
    expect((await client.documents.get(result.documentId)).status).toBe("uploaded")
    expect(await rejection(client.uploads.send(result, bytes))).toMatchObject({ code: "already_uploaded" })
    await client.documents.changeStatus(result.documentId, { status: "failed", reason: "blurred" })
    const failed = await rejection(client.uploads.send(result, bytes))
    expect(failed).toMatchObject({ code: "address_lapsed", documentStatus: "failed" })
    await client.documents.delete(result.documentId)
    expect(await rejection(client.uploads.send(result, bytes))).toMatchObject({ code: "document_not_found" })
    expect(storage.puts).toEqual([200, 412, 403, 403, 403, 403])
  })

  it("is not sent if the policy refused the file", async () => {
    const error = await rejection(client.uploads.send(await issue({ filename: "a/b.txt" }), bytes))
    expect(error).toBeInstanceOf(SolarSitesUploadError)
    expect(error).toMatchObject({ code: "invalid_filename", documentId: null, attempts: 0 })
    expect(storage.puts).toEqual([])
  })

  it("fails if storage refuses the file", async () => {
    const wrong = await rejection(client.uploads.send(await issue({ fileSize: 3 }), bytes))
    expect(wrong).toMatchObject({ code: "upload_refused", status: 400 })
    expect(storage.puts).toEqual([400])
  })
})
