import { DocumentStorage, StorageError } from "@solar-sites/core"
import { Effect, Layer, Logger } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aNewSite, type Binding, bindings, caller, makeSetup, type Send, type Setup, uploadsOf } from "./Setup.ts"

const secret = "bucket-of-secrets"

describe.each(Object.entries(bindings))("a storage that fails, through %s", (_, bind) => {
  let setup: Setup
  let healthy: Binding
  let key: string
  let send: Send
  let siteId: string
  let pending: string
  let uploaded: string
  beforeAll(async () => {
    setup = await makeSetup()
    healthy = await bind(setup.ports)
  })
  beforeEach(async () => {
    key = (await setup.join("Sunfield")).key
    send = caller(healthy, key)
    siteId = (await send("POST /api/sites", { body: aNewSite })).json.id
    const body = {
      siteId,
      fileType: "coverImage",
      files: ["a.png", "b.png"].map((filename) => ({ filename, mimeType: "image/png" }))
    }
    const [first, second] = (await send("POST /api/docs/bulk-upload-url", { body })).json.results
    pending = first.documentId
    uploaded = second.documentId
    await setup.put(second.uploadUrl, "cover")
    await send(`PUT /api/docs/${uploaded}`, { body: { status: "uploaded" } })
  })
  afterAll(async () => {
    await healthy.close()
    await setup.close()
  })

  const withFailing = async <A>(
    reason: StorageError["reason"],
    use: (send: Send, logged: ReadonlyArray<string>) => Promise<A>
  ) => {
    const fail = (method: string) => () =>
      Effect.fail(new StorageError({ operation: `DocumentStorage.${method}`, reason, cause: new Error(secret) }))
    const broken = Layer.succeed(DocumentStorage, {
      signUploads: fail("signUploads"),
      signDownload: fail("signDownload"),
      inspect: fail("inspect"),
      findUploading: fail("findUploading"),
      delete: fail("delete"),
      list: fail("list")
    })
    const logged: Array<string> = []
    const logger = Logger.layer([Logger.make(({ cause, message }) => logged.push(`${message} ${cause}`))])
    const binding = await bind(Layer.mergeAll(setup.ports, broken, logger))
    return use(caller(binding, key), logged).finally(binding.close)
  }

  it.each([
    ["unavailable", "storage_unavailable"],
    ["full", "storage_full"]
  ] as const)("answers 503 where it is needed when it is %s, and logs why", (reason, code) =>
    withFailing(reason, async (broken, logged) => {
      const lines = [
        [`PUT /api/docs/${pending}`, { status: "uploaded" }],
        [`POST /api/docs/${pending}/upload-url`, undefined],
        [`GET /api/docs/${uploaded}/download-url`, undefined]
      ] as const
      for (const [line, body] of lines) {
        const { headers, json, status, text } = await broken(line, { body })
        expect([line, status, json.code, headers.get("retry-after")]).toEqual([line, 503, code, "1"])
        expect(text).not.toContain(secret)
      }
      expect(logged).toHaveLength(lines.length)
      expect(logged.every((line) => line.includes(secret) && !line.includes(key))).toBe(true)
      expect((await send(`GET /api/docs/${pending}`)).json).toMatchObject({ status: "pending", version: 1 })
    })
  )

  it("refuses every file of an upload request by itself, and creates no document", () =>
    withFailing("unavailable", async (broken) => {
      const before = (await send("GET /api/docs")).text
      const answer = await broken("POST /api/docs/bulk-upload-url", { body: uploadsOf(siteId, "a.txt", "b/c.txt") })
      expect([answer.status, answer.json.summary]).toEqual([200, { total: 2, successful: 0, failed: 2 }])
      expect(answer.json.results).toMatchObject([
        { index: 0, filename: "a.txt", success: false, error: { code: "storage_unavailable" } },
        { index: 1, filename: "b/c.txt", success: false, error: { code: "invalid_filename" } }
      ])
      expect((await send("GET /api/docs")).text).toBe(before)
    }))

  it("leaves a site without its cover address, and changes nothing else", () =>
    withFailing("unavailable", async (broken) => {
      expect((await send(`GET /api/sites/${siteId}`)).json.coverImageUrl).toContain(uploaded)
      const site = await broken(`GET /api/sites/${siteId}`)
      expect([site.status, site.json.coverImageUrl, site.json.siteName]).toEqual([200, null, aNewSite.siteName])
      const changed = await broken(`PUT /api/sites/${siteId}`, { body: { address: "Farm" } })
      expect([changed.status, changed.json.address]).toEqual([200, "Farm"])
      expect((await send(`GET /api/sites/${siteId}`)).json.coverImageUrl).toContain(uploaded)
      for (const line of [
        "GET /api/sites",
        "GET /api/portfolios/with-sites",
        "GET /api/me",
        "GET /api/docs",
        `GET /api/docs/${pending}`,
        "GET /health/ready"
      ]) {
        expect([line, (await broken(line)).status]).toEqual([line, 200])
      }
      expect((await broken(`PUT /api/docs/${uploaded}`, { body: { status: "approved" } })).status).toBe(200)
      expect((await broken(`DELETE /api/docs/${pending}`)).status).toBe(204)
    }))
})
