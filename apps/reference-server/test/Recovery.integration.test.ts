import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Filesystem from "@solar-sites/adapter-filesystem"
import { PgClient } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { clientOf, type Issued, send } from "./Client.ts"
import { copyTo, prepared } from "./Prepared.ts"
import { serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

/** Stores a file without recording it, as a server that ends in between. */
const storeUnrecorded = (directory: string, { uploadUrl }: Issued) =>
  Effect.gen(function* () {
    const { app } = yield* Filesystem.StorageServer
    const request = new Request(uploadUrl.url, { method: "PUT", headers: uploadUrl.headers, body: "stored" })
    const response = yield* Effect.provideService(
      app(),
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(request)
    )
    return response.status
  }).pipe(
    Effect.scoped,
    Effect.provide(Filesystem.layer({ directory, publicUrl: "http://127.0.0.1" })),
    Effect.runPromise
  )

/** Expires the addresses now, so that the sweeper inspects the files. */
const expireAddresses = (dataDirectory: string) =>
  PgClient.use(({ run, schema }) =>
    run({
      operation: "lapse",
      text: `update ${schema}.document set address_expires_at = now(), look_at = now() where status = 'pending'`
    })
  ).pipe(Effect.provide(Pglite.layer({ dataDir: join(dataDirectory, "database"), schema: "solar" })), Effect.runPromise)

interface FeedEvent {
  readonly type: string
  readonly subject: { readonly id: string; readonly name: string }
}

/** The names that a site has had, and null after its deletion. */
type History = ReadonlyArray<string | null>

/** Creates, renames and deletes sites until the server ends. Returns the acknowledged history of each. */
const change = async ({ call }: ReturnType<typeof clientOf>, writer: number): Promise<ReadonlyMap<string, History>> => {
  const acknowledged = new Map<string, History>()
  try {
    for (let count = 0; ; count++) {
      const [first, second] = [`${writer}-${count}`, `${writer}-${count} renamed`]
      const created = await call("POST", "/api/sites", { siteName: first, capacity: 1, unit: "MW" })
      const { id } = created.body
      acknowledged.set(id, [first])
      await call("PUT", `/api/sites/${id}`, { siteName: second })
      acknowledged.set(id, [first, second])
      if (count % 2 === 1) continue
      await call("DELETE", `/api/sites/${id}`)
      acknowledged.set(id, [first, second, null])
    }
  } catch {
    return acknowledged
  }
}

describe("a server that was killed", () => {
  let apiKey: string

  beforeAll(async () => {
    apiKey = (await prepared()).apiKey
  })

  it("has the event of every acknowledged change, and of no other one", async () => {
    await using folder = await temporaryFolder()
    const variables = await copyTo(join(folder.path, "data"))
    const killed = await serve(variables)
    const before = clientOf(killed.address, apiKey)
    const sitesBefore: ReadonlyArray<{ readonly id: string }> = (await before.call("GET", "/api/sites")).body.data
    const known = (await before.call("GET", "/api/events")).body.data.length
    const writing = Promise.all(Array.from({ length: 4 }, (_, writer) => change(before, writer)))
    await vi.waitFor(
      async () => {
        const { body } = await before.call("GET", "/api/events?type=site.deleted")
        expect(body.data.length).toBeGreaterThan(10)
      },
      { timeout: 100_000, interval: 50 }
    )
    killed.kill("SIGKILL")
    expect((await killed.finished).signal).toBe("SIGKILL")
    const acknowledged = new Map((await writing).flatMap((one) => [...one]))

    const restarted = await serve(variables)
    const after = clientOf(restarted.address, apiKey)
    const stored: ReadonlyArray<{ readonly id: string; readonly siteName: string }> = (
      await after.call("GET", "/api/sites")
    ).body.data
    const events: ReadonlyArray<FeedEvent> = (await after.call("GET", "/api/events")).body.data.slice(known)
    const histories = new Map<string, History>()
    for (const { subject, type } of events) {
      const name = type === "site.deleted" ? null : subject.name
      histories.set(subject.id, [...(histories.get(subject.id) ?? []), name])
    }
    // A change that was under way has happened with its event, or not at all.
    for (const [id, history] of acknowledged) {
      expect(histories.get(id)?.slice(0, history.length)).toEqual(history)
      expect(histories.get(id)?.length).toBeLessThanOrEqual(history.length + 1)
    }
    for (const [id, history] of histories) {
      expect(stored.find((site) => site.id === id)?.siteName ?? null).toBe(history.at(-1))
    }
    const unchanged = stored.filter(({ id }) => !histories.has(id)).map(({ id }) => id)
    expect(unchanged).toEqual(sitesBefore.map(({ id }) => id))
    expect((await stop(restarted)).code).toBe(0)
  })

  it("completes pending work after its restart", async () => {
    await using folder = await temporaryFolder()
    const variables = await copyTo(join(folder.path, "data"))
    const files = join(variables.DATA_DIR, "files")

    const killed = await serve(variables)
    const before = clientOf(killed.address, apiKey)
    const [kept, deleted] = [await before.createSite(), await before.createSite()]
    const [unnoticed, absent] = await before.issue(kept, [
      { filename: "unnoticed.txt", mimeType: "text/plain" },
      { filename: "absent.txt", mimeType: "text/plain" }
    ])
    const orphan = await before.issueOne(deleted)
    expect((await send(orphan.uploadUrl, bytes("orphan"))).status).toBe(201)
    if (unnoticed === undefined || absent === undefined) throw new Error("not all addresses were issued")
    expect((await before.call("DELETE", `/api/sites/${deleted}`)).status).toBe(204)
    killed.kill("SIGKILL")
    expect((await killed.finished).signal).toBe("SIGKILL")

    const orphaned = join(files, "objects", ...orphan.uploadUrl.path.split("/").slice(-3))
    expect(existsSync(orphaned)).toBe(true)
    expect(await storeUnrecorded(files, unnoticed)).toBe(201)
    await expireAddresses(variables.DATA_DIR)

    const restarted = await serve(variables)
    const after = clientOf(restarted.address, apiKey)
    await vi.waitFor(
      async () => {
        expect(await after.statusOf(unnoticed.documentId)).toBe("uploaded")
        expect(existsSync(orphaned)).toBe(false)
        expect(restarted.logged().includes("swept documents")).toBe(true)
      },
      { timeout: 100_000, interval: 200 }
    )
    expect(await after.statusOf(absent.documentId)).toBe("pending")
    expect((await stop(restarted)).code).toBe(0)
  })
})
