import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type AnyDatabase, anyDatabase } from "./AnyDatabase.ts"
import { clientOf, type Issued, send } from "./Client.ts"
import { aBucket, settingsOf, theServer, withoutS3 } from "./S3Server.ts"
import { createTopic, notify } from "./S3Topics.ts"
import { type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const bytes = new TextEncoder().encode("bytes")
const token = randomBytes(16).toString("hex")
const file = { filename: "note.txt", mimeType: "text/plain", fileSize: 5 }

describe.skipIf(withoutS3)("a bucket of Ceph that notifies the server", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: AnyDatabase
  let server: Server
  let bucket: string
  let client: ReturnType<typeof clientOf>
  let organisationId: string
  // Each site has a topic of its own, or none.
  let [direct, queued, silent] = ["", "", ""]

  beforeAll(async () => {
    folder = await temporaryFolder()
    database = await anyDatabase(folder.path)
    bucket = await aBucket()
    const settings = settingsOf(bucket, theServer())
    // The tests ask often.
    const own = { STORAGE_EVENTS_TOKEN: token, RATE_LIMIT_PER_MINUTE: "0" }
    server = await serve({ ...database.variables, ...settings, ...own })
    client = clientOf(server.address, database.apiKey)
    organisationId = (await client.call("GET", "/api/me")).body.organisation.id
    direct = await client.createSite()
    queued = await client.createSite()
    silent = await client.createSite()
    const address = { "push-endpoint": `${server.address}/storage-events?token=${token}` }
    const topics = [
      await createTopic(`direct-${bucket}`, address),
      await createTopic(`queued-${bucket}`, { ...address, persistent: "true" })
    ]
    const prefixes = [direct, queued].map((site) => `${organisationId}/${site}/`)
    await notify(
      bucket,
      topics.map((topic, index) => ({ topic, prefix: prefixes[index] ?? "" }))
    )
  })

  afterAll(async () => {
    await stop(server)
    await database.drop()
    await folder[Symbol.asyncDispose]()
  })

  const issue = (siteId: string) => client.issueOne(siteId, file)

  const upload = async ({ uploadUrl }: Issued) => expect((await send(uploadUrl, bytes)).status).toBe(200)

  const keyOf = ({ uploadUrl }: Issued) => new URL(uploadUrl.path).pathname.split("/").slice(-3).join("/")

  const notifyOf = async (...keys: ReadonlyArray<string>) => {
    const Records = keys.map((key) => ({
      eventName: "ObjectCreated:Put",
      s3: { bucket: { name: bucket }, object: { key } }
    }))
    const { status } = await fetch(`${server.address}/storage-events`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ Records })
    })
    return status
  }

  const documentOf = async ({ documentId }: Issued) => (await client.call("GET", `/api/docs/${documentId}`)).body

  it.concurrent("makes a document uploaded before its upload is answered", async () => {
    // Retried with another document: such a topic does not repeat what a busy server refuses.
    await vi.waitFor(
      async () => {
        const issued = await issue(direct)
        expect((await documentOf(issued)).status).toBe("pending")
        await upload(issued)
        expect(await documentOf(issued)).toMatchObject({ status: "uploaded", sizeBytes: 5 })
      },
      { timeout: 60_000, interval: 200 }
    )
  })

  it.concurrent("makes a document uploaded soon after its upload, through a persistent topic", async () => {
    const uploaded = (issued: Issued, timeout: number) =>
      vi.waitFor(async () => expect((await documentOf(issued)).status).toBe("uploaded"), { timeout, interval: 100 })
    // The gateway looks for new persistent topics every 30 seconds.
    const first = await issue(queued)
    await upload(first)
    await uploaded(first, 100_000)
    const issued = await issue(queued)
    await upload(issued)
    // A tenth of a second on an idle machine. The sweeper looks after 60 seconds at the earliest.
    await uploaded(issued, 45_000)
  })

  it.concurrent("changes nothing by notifications that are forged, foreign, repeated, reordered or late", async () => {
    const waiting = await issue(silent)
    const pending = await documentOf(waiting)
    const unknown = `${organisationId}/${silent}/${organisationId}`
    const foreign = `${silent}/${silent}/${waiting.documentId}`
    expect(await notifyOf(keyOf(waiting), unknown, foreign, "another/key")).toBe(204)
    expect(await documentOf(waiting)).toEqual(pending)

    const [first, second] = [await issue(silent), await issue(silent)]
    await upload(first)
    await upload(second)
    await vi.waitFor(async () => expect(await notifyOf(keyOf(second), keyOf(first))).toBe(204), { timeout: 60_000 })
    const both = [await documentOf(first), await documentOf(second)]
    expect(both).toMatchObject([{ status: "uploaded" }, { status: "uploaded" }])
    await client.call("PUT", `/api/docs/${first.documentId}`, { status: "approved" })
    const approved = await documentOf(first)
    expect(await notifyOf(keyOf(first), keyOf(second), keyOf(first))).toBe(204)
    expect([await documentOf(first), await documentOf(second)]).toEqual([approved, both[1]])
    await client.call("DELETE", `/api/docs/${second.documentId}`)
    expect(await notifyOf(keyOf(second))).toBe(204)
    expect((await documentOf(second)).code).toBe("document_not_found")
  })

  it.concurrent("is refused with another token, and the log holds none", async () => {
    const refused = await fetch(`${server.address}/storage-events?token=${token}x`, { method: "POST", body: "{}" })
    expect([refused.status, Object(await refused.json()).code]).toEqual([401, "token_invalid"])
    const unreadable = await fetch(`${server.address}/storage-events?token=${token}`, { method: "POST", body: "{}" })
    expect([unreadable.status, Object(await unreadable.json()).code]).toEqual([400, "validation_failed"])
    await vi.waitFor(() => expect(server.logged()).toMatch(/"route":"\/storage-events","status":400/), {
      timeout: 60_000
    })
    expect(server.logged()).not.toContain(token)
  })
})
