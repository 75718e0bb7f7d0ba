import { makeClient, type SolarSitesClient } from "@solar-sites/http-node/client"
import { SolarSitesHarness } from "@solar-sites/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let harness: SolarSitesHarness.Harness
let apiKey: string
beforeEach(async () => {
  harness = await SolarSitesHarness.make()
  apiKey = (await harness.createOrganisation("Sunfield Energy")).apiKey
})
afterEach(() => harness.dispose())

describe("the fetch of a harness", () => {
  const statusOf = async (...given: Parameters<typeof fetch>) => {
    // Compatible with every parameter of type `fetch`.
    const send: typeof fetch = harness.fetch
    return (await send(...given)).status
  }

  it("takes a text, a URL or a Request, with and without options", async () => {
    const url = "http://solar.test/api/sites"
    const init = { headers: { "x-api-key": apiKey } }
    expect(await statusOf(url)).toBe(401)
    expect(await statusOf(url, init)).toBe(200)
    expect(await statusOf(new URL(url), init)).toBe(200)
    expect(await statusOf(new Request(url, init))).toBe(200)
    expect(await statusOf(new Request(url), init)).toBe(200)
    const body = JSON.stringify({ siteName: "Long Meadow", capacity: 750, unit: "kW" })
    const headers = { ...init.headers, "content-type": "application/json" }
    expect(await statusOf(url, { method: "POST", headers, body })).toBe(201)
  })

  it("rejects an invalid address, as fetch does", async () => {
    await expect(harness.fetch("/api/sites")).rejects.toThrow(TypeError)
  })

  it("rejects a request that has been broken off, with its reason", async () => {
    const signal = AbortSignal.abort(new Error("no longer wanted"))
    await expect(harness.fetch("http://solar.test/health/live", { signal })).rejects.toThrow("no longer wanted")
  })
})

describe("the addresses of files, for the fetch of a harness,", () => {
  let client: SolarSitesClient
  beforeEach(() => {
    client = makeClient({ baseUrl: "http://solar.test", apiKey, fetch: harness.fetch })
  })

  const file = new Blob(["as built"])

  const issued = async (more: { readonly fileSize?: number } = { fileSize: file.size }, fileType = "documents") => {
    const { id: siteId } = await client.sites.create({ siteName: "Long Meadow", capacity: 750, unit: "kW" })
    const mimeType = fileType === "coverImage" ? "image/png" : "text/plain"
    const files = [{ filename: "plan.txt", mimeType, ...more }]
    const { results } = await client.documents.issueUploads({ siteId, fileType: fileType as "documents", files })
    const [result] = results
    if (result?.success !== true) throw new Error("no address was issued")
    return result
  }

  const put = async ({ uploadUrl }: Awaited<ReturnType<typeof issued>>, body: Blob, headers = {}) => {
    const { method, url } = uploadUrl
    return harness.fetch(url, { method, headers: { ...uploadUrl.headers, ...headers }, body })
  }

  it("take what a client sends, and give it back", async () => {
    const result = await issued()
    const told: Array<number> = []
    await client.uploads.send(result, file, { onProgress: ({ sentBytes }) => told.push(sentBytes) })
    expect(told).toEqual([0, 8])
    expect(await client.documents.get(result.documentId)).toMatchObject({ status: "uploaded", sizeBytes: 8 })
    const response = await harness.fetch((await client.documents.downloadUrl(result.documentId)).url)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("text/plain")
    expect(response.headers.get("content-disposition")).toContain("attachment")
    expect(await response.text()).toBe("as built")
  })

  it("are issued again by a client after the first one expired", async () => {
    const result = await issued()
    await harness.advance("61 seconds")
    await client.uploads.send(result, file)
    expect((await client.documents.get(result.documentId)).status).toBe("uploaded")
  })

  it("answer a head without the file", async () => {
    const result = await issued()
    await client.uploads.send(result, file)
    const { url } = await client.documents.downloadUrl(result.documentId)
    const response = await harness.fetch(url, { method: "HEAD" })
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, "8", ""])
  })

  const refusalOf = async (response: Promise<Response>) => {
    const answer = await response
    expect(answer.headers.get("content-type")).toBe("application/problem+json")
    const { code, detail, requestId, status, title, type } = JSON.parse(await answer.text())
    expect([status, type]).toEqual([answer.status, `urn:solar-sites:problem:${code}`])
    expect(detail).toMatch(/^[A-Z].+\.$/)
    expect(requestId).toBe(answer.headers.get("x-request-id"))
    return [status, title]
  }

  it("take one file, of its type and length", async () => {
    const result = await issued()
    expect(await refusalOf(put(result, file, { "content-type": "image/png" }))).toEqual([403, "Address invalid"])
    expect(await refusalOf(put(result, new Blob(["as"])))).toEqual([400, "Length mismatch"])
    expect((await put(result, file)).status).toBe(200)
    expect(await refusalOf(put(result, file))).toEqual([412, "Already uploaded"])
  })

  it("answer with the request id of the caller, or one of their own", async () => {
    const [first, second] = [await issued(), await issued()]
    const answer = await put(first, file, { "x-request-id": "request-0001" })
    expect(answer.headers.get("x-request-id")).toBe("request-0001")
    const refused = await put(first, file, { "x-request-id": "request-0002" })
    expect(await refused.json()).toMatchObject({ code: "already_uploaded", requestId: "request-0002" })
    expect((await put(second, file)).headers.get("x-request-id")).toMatch(/^[A-Za-z0-9-]{8,64}$/)
  })

  it("take no more than is allowed, and nothing after a minute", async () => {
    const cover = await issued({}, "coverImage")
    const tooLarge = new Blob([new Uint8Array(20 * 1_024 * 1_024 + 1)])
    expect(await refusalOf(put(cover, tooLarge))).toEqual([413, "File too large"])
    await harness.advance("60 seconds")
    expect(await refusalOf(put(cover, file))).toEqual([403, "Address expired"])
    expect((await client.documents.get(cover.documentId)).status).toBe("pending")
  })

  it("return a file for five minutes, and not after a change of the address", async () => {
    const result = await issued()
    await client.uploads.send(result, file)
    const { url } = await client.documents.downloadUrl(result.documentId)
    expect(await refusalOf(harness.fetch(`${url}0`))).toEqual([403, "Address invalid"])
    expect(await refusalOf(put(result, file))).toEqual([412, "Already uploaded"])
    expect(await refusalOf(harness.fetch(url, { method: "POST" }))).toEqual([405, "Method not allowed"])
    await client.documents.delete(result.documentId)
    await harness.advance("2 minutes")
    expect(await refusalOf(harness.fetch(url))).toEqual([404, "File not found"])
    await harness.advance("3 minutes")
    expect(await refusalOf(harness.fetch(url))).toEqual([403, "Address expired"])
  })

  it("say that a file has arrived where the report of it fails, and the sweeper finds it", async () => {
    const result = await issued()
    harness.failNext("DocumentRepository.findById")
    await client.uploads.send(result, file)
    expect((await client.documents.get(result.documentId)).status).toBe("pending")
    await harness.advance("61 seconds")
    expect((await client.documents.get(result.documentId)).status).toBe("uploaded")
  })
})
