import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import { DocumentStorage, OrganisationId, parseStorageKey, StorageKey } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { clientOf, type Issued, send } from "./Client.ts"
import { copyTo, prepared } from "./Prepared.ts"
import { runReadme } from "./Readme.ts"
import { type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("uploads to the server's own storage", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let dataDirectory: string
  let server: Server
  let apiKey: string
  let client: ReturnType<typeof clientOf>
  let siteId: string

  beforeAll(async () => {
    folder = await temporaryFolder()
    apiKey = (await prepared()).apiKey
    const variables = await copyTo(join(folder.path, "data"))
    dataDirectory = variables.DATA_DIR
    server = await serve({ ...variables, MAX_COVER_SIZE: "4KiB" })
    client = clientOf(server.address, apiKey)
    siteId = await client.createSite()
  })

  afterAll(async () => {
    await stop(server)
    await folder[Symbol.asyncDispose]()
  })

  /** The address of an issued upload, signed 61 s earlier. */
  const aMinuteEarlier = ({ uploadUrl }: Issued) => {
    const from = DateTime.subtract(DateTime.nowUnsafe(), { seconds: 61 })
    const key = StorageKey.make(uploadUrl.path.split("/").slice(-3).join("/"))
    const { organisationId } = Option.getOrThrow(parseStorageKey(key))
    const upload = { key, mimeType: "text/plain", sizeBytes: null, maximumBytes: 1_000 }
    return DocumentStorage.use((storage) =>
      storage.signUploads(OrganisationId.make(organisationId), [upload], {
        from,
        until: DateTime.add(from, { seconds: 60 })
      })
    ).pipe(
      Effect.provide(Filesystem.layer({ directory: join(dataDirectory, "files"), publicUrl: server.address })),
      Effect.map(([signed]) => ({ url: `${signed?.path}?${signed?.token}`, headers: signed?.headers ?? {} })),
      Effect.runPromise
    )
  }

  const refusalOf = async (response: Response) => {
    const { code } = Object(await response.json())
    return { status: response.status, code }
  }

  it("take two files in two steps, and return them unchanged under their names", async () => {
    const pdf = new Uint8Array(randomBytes(300_000))
    const siteId = await client.createSite()
    const [one, other] = await client.issue(siteId, [
      { filename: "Übergabe 2026.pdf", mimeType: "application/pdf", fileSize: pdf.length },
      { filename: "yield.csv", mimeType: "text/csv" }
    ])
    if (one === undefined || other === undefined) throw new Error("not all addresses were issued")
    expect(one.uploadUrl.path.startsWith(`${server.address}/storage/`)).toBe(true)
    const sent = await Promise.all([send(one.uploadUrl, pdf), send(other.uploadUrl, bytes("month,kWh\n"))])
    expect(sent.map(({ status }) => status)).toEqual([201, 201])
    const { body } = await client.call("GET", `/api/docs?siteId=${siteId}&status=uploaded`)
    expect(body.data).toMatchObject([
      { id: one.documentId, filename: "Übergabe 2026.pdf", status: "uploaded", sizeBytes: pdf.length },
      { id: other.documentId, filename: "yield.csv", status: "uploaded", sizeBytes: 10 }
    ])
    const download = await fetch((await client.call("GET", `/api/docs/${one.documentId}/download-url`)).body.url)
    expect(download.headers.get("content-disposition")).toContain("filename*=UTF-8''%C3%9Cbergabe%202026.pdf")
    expect(download.headers.get("content-type")).toBe("application/pdf")
    expect(Buffer.from(await download.arrayBuffer()).equals(pdf)).toBe(true)
  })

  it("are logged in one line each, without tokens", async () => {
    const issued = await client.issueOne(siteId)
    const sent = await send(issued.uploadUrl, bytes("one"))
    const refused = await send(issued.uploadUrl, bytes("two"))
    expect([sent.status, refused.status]).toEqual([201, 412])
    const { url } = (await client.call("GET", `/api/docs/${issued.documentId}/download-url`)).body
    const download = await fetch(url)
    await download.text()
    const lineOf = (response: Response) =>
      vi.waitFor(
        () => {
          const id = response.headers.get("x-request-id") ?? "none"
          const line = server
            .logged()
            .split("\n")
            .find((text) => text.includes(id))
          return JSON.parse(line ?? "").annotations
        },
        { timeout: 100_000 }
      )
    const route = "/storage/{organisationId}/{siteId}/{documentId}"
    const organisationId = expect.any(String)
    expect(await lineOf(sent)).toMatchObject({ method: "PUT", route, status: 201, organisationId })
    expect(await lineOf(refused)).toMatchObject({ method: "PUT", route, status: 412, organisationId: null })
    expect(await lineOf(download)).toMatchObject({ method: "GET", route, status: 200, organisationId })
    for (const secret of [issued.uploadUrl.token, new URL(url).search.slice(1), apiKey]) {
      for (const part of secret.split(/[=.]/).slice(-2)) expect(server.logged()).not.toContain(part)
    }
  })

  it("are refused after the address has expired, or with another time than signed", async () => {
    const issued = await client.issueOne(siteId)
    const lapsed = await send(await aMinuteEarlier(issued), bytes("late"))
    expect(await refusalOf(lapsed)).toEqual({ status: 403, code: "address_expired" })
    const [terms = "", signature] = issued.uploadUrl.token.replace("token=", "").split(".")
    const stretched = Buffer.from(terms, "base64url")
      .toString()
      .replace(/"expires":\d/, '"expires":9')
    const token = `${Buffer.from(stretched).toString("base64url")}.${signature}`
    const forged = { ...issued.uploadUrl, url: `${issued.uploadUrl.path}?token=${token}` }
    expect(await refusalOf(await send(forged, bytes("forged")))).toEqual({ status: 403, code: "address_invalid" })
    expect(await client.statusOf(issued.documentId)).toBe("pending")
  })

  it("accept a reissued address of the same document", async () => {
    const { documentId } = await client.issueOne(siteId)
    const { body, status } = await client.call("POST", `/api/docs/${documentId}/upload-url`)
    expect({ status, documentId: body.documentId }).toEqual({ status: 200, documentId })
    expect((await send(body.uploadUrl, bytes("again"))).status).toBe(201)
    expect(await client.statusOf(documentId)).toBe("uploaded")
  })

  it("set the cover image of the site", async () => {
    const file = { filename: "cover.png", mimeType: "image/png" }
    const [cover] = await client.issue(siteId, [{ ...file, fileSize: 8 }], "coverImage")
    expect((await send(Object(cover).uploadUrl, bytes("\u0089PNG 12"))).status).toBe(201)
    const { coverImageUrl } = (await client.call("GET", `/api/sites/${siteId}`)).body
    const image = await fetch(coverImageUrl)
    expect(image.headers.get("content-type")).toBe("image/png")
    expect(await image.text()).toBe("\u0089PNG 12")
    const files = [{ ...file, fileSize: 4_097 }]
    const tooLarge = await client.call("POST", "/api/docs/bulk-upload-url", { siteId, fileType: "coverImage", files })
    expect(tooLarge.body.results).toMatchObject([{ success: false, error: { code: "file_too_large" } }])
  })

  it("use the host name of the client's request, covers too", async () => {
    const { port } = new URL(server.address)
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const byName = clientOf(origin, apiKey)
      const { documentId, uploadUrl } = await byName.issueOne(siteId)
      expect(uploadUrl.path.startsWith(`${origin}/storage/`)).toBe(true)
      expect((await send(uploadUrl, bytes("sent"))).status).toBe(201)
      const { url } = (await byName.call("GET", `/api/docs/${documentId}/download-url`)).body
      expect(new URL(url).origin).toBe(origin)
      expect(await (await fetch(url)).text()).toBe("sent")
      const [cover] = await byName.issue(siteId, [{ filename: "c.png", mimeType: "image/png" }], "coverImage")
      expect((await send(Object(cover).uploadUrl, bytes("\u0089PNG"))).status).toBe(201)
      const { coverImageUrl } = (await byName.call("GET", `/api/sites/${siteId}`)).body
      expect(new URL(coverImageUrl).origin).toBe(origin)
    }
  })

  it("work as the README shows them", async () => {
    const { code, stderr, stdout } = await runReadme("Upload documents", { KEY: apiKey, URL: server.address })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout.trim().split("\n")).toEqual(["handover.txt uploaded", "yield.csv uploaded"])
  })

  it("need no API key, and serve only files", async () => {
    const nothing = await fetch(`${server.address}/storage/../api/sites`)
    expect(nothing.status).toBe(401)
    for (const path of ["/storage/", "/storage/secret", "/storage/%2e%2e/secret"]) {
      expect((await fetch(`${server.address}${path}`)).status).toBe(404)
    }
  })
})
