import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { anyDatabase } from "./AnyDatabase.ts"
import { clientOf, send } from "./Client.ts"
import { runJson } from "./CommandInProcess.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "./ExternalDatabase.ts"
import { runReadme } from "./Readme.ts"
import { aBucket, nowhere, settingsOf, theServer, withoutS3 } from "./S3Server.ts"
import { run, type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const file = { filename: "note.txt", mimeType: "text/plain" }

describe("an unreachable bucket", () => {
  it("fails requests about files and no others", async () => {
    await using folder = await temporaryFolder()
    const database = await anyDatabase(folder.path)
    onTestFinished(database.drop)
    const variables = { ...database.variables, ...settingsOf("documents", nowhere) }
    const { data } = Object(await runJson(["organisations", "list"], variables))
    expect(data).toHaveLength(1)

    const server = await serve(variables)
    const client = clientOf(server.address, database.apiKey)
    expect(await client.readiness()).toMatchObject({
      code: "storage_unavailable",
      checks: { database: "up", storage: "down" }
    })
    const { documentId } = await client.issueOne(await client.createSite())
    expect(await client.call("PUT", `/api/docs/${documentId}`, { status: "uploaded" })).toMatchObject({
      status: 503,
      body: { code: "storage_unavailable" }
    })
    for (const path of ["/api/sites", "/api/docs", `/api/docs/${documentId}`, "/api/portfolios/with-sites"]) {
      expect((await client.call("GET", path)).status).toBe(200)
    }
    const { code, stderr } = await stop(server)
    expect(code).toBe(0)
    expect(stderr).toMatch(/The store could not be reached: [^"]*ECONNREFUSED[^"]* The server starts;/)
  })
})

const schemas = ownSchemas()

describe.skipIf(withoutS3 || withoutPostgres)("a server on Postgres and S3", () => {
  let server: Server
  let bucket: string
  let apiKey: string
  let client: ReturnType<typeof clientOf>
  let siteId: string
  let database: ReturnType<typeof schemas.next>

  /** Retries: on a busy machine the store may be slower than the timeout of the server. */
  const retried = (asking: () => Promise<void>) => vi.waitFor(asking, { timeout: 100_000, interval: 200 })

  /** Expires the addresses now, so that the sweeper inspects the files. */
  const expireAddresses = () =>
    PgClient.use(({ run, schema }) =>
      run({ operation: "lapse", text: `update ${schema}.document set look_at = now() where status = 'pending'` })
    ).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(postgresUrl), schema: database.DATABASE_SCHEMA })),
      Effect.runPromise
    )

  beforeAll(async () => {
    bucket = await aBucket()
    database = schemas.next()
    const variables = { ...database, ...settingsOf(bucket, theServer()) }
    server = await serve(variables, ["--migrate"])
    const { id } = Object(await runJson(["organisations", "create", "--name", "Ours"], variables))
    const create = ["api-keys", "create", "--organisation", id, "--name", "Ours"]
    apiKey = Object(await runJson(create, variables)).key
    client = clientOf(server.address, apiKey)
    siteId = await client.createSite()
  })

  afterAll(async () => {
    await stop(server)
    await schemas.drop()
  })

  // Concurrent, since both wait for the sweeper.
  it.concurrent("takes files, finds them on request or by itself, and serves them", async () => {
    const allUp = { status: "up", checks: { database: "up", storage: "up" } }
    await retried(async () => expect(await client.readiness()).toEqual(allUp))
    const [told, found] = await client.issue(siteId, [file, { ...file, fileSize: 5 }])
    if (told === undefined || found === undefined) throw new Error("not all addresses were issued")
    expect(told.uploadUrl.path.startsWith(`${theServer().endpoint}/${bucket}/`)).toBe(true)
    for (const { uploadUrl } of [told, found]) expect((await send(uploadUrl, bytes("bytes"))).ok).toBe(true)

    expect(await client.statusOf(told.documentId)).toBe("pending")
    await retried(async () => {
      const { body } = await client.call("PUT", `/api/docs/${told.documentId}`, { status: "uploaded" })
      expect(body).toMatchObject({ status: "uploaded", sizeBytes: 5 })
    })
    await expireAddresses()
    await vi.waitFor(async () => expect(await client.statusOf(found.documentId)).toBe("uploaded"), {
      timeout: 100_000,
      interval: 200
    })
    const download = await fetch((await client.call("GET", `/api/docs/${found.documentId}/download-url`)).body.url)
    expect(download.headers.get("content-disposition")).toContain('filename="note.txt"')
    expect(await download.text()).toBe("bytes")
  })

  it.concurrent("deletes the files of a deleted site from the bucket", async () => {
    const site = await client.createSite()
    const { documentId, uploadUrl } = await client.issueOne(site)
    expect((await send(uploadUrl, bytes("bytes"))).ok).toBe(true)
    await retried(async () =>
      expect((await client.call("PUT", `/api/docs/${documentId}`, { status: "uploaded" })).status).toBe(200)
    )
    const { url } = (await client.call("GET", `/api/docs/${documentId}/download-url`)).body
    expect((await fetch(url)).status).toBe(200)
    expect((await client.call("DELETE", `/api/sites/${site}`)).status).toBe(204)
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(404), { timeout: 100_000, interval: 200 })
  })

  it("takes files as the README shows them", async () => {
    const { code, stderr, stdout } = await runReadme("Upload documents", { KEY: apiKey, URL: server.address })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toBe("handover.txt uploaded\nyield.csv uploaded\n")
  })

  // Retried: if the store is slower than the timeout of the server, the server starts.
  it("does not start on a bucket that does not exist, or with unknown credentials", {
    retry: 2
  }, async () => {
    const missing = { ...database, ...settingsOf("no-such-bucket", theServer()), PORT: "0" }
    const unknown = { ...database, ...settingsOf(bucket, theServer()), AWS_ACCESS_KEY_ID: "unknown", PORT: "0" }
    const ends = await Promise.all([run(["serve"], missing), run(["serve"], unknown)])
    expect(ends.map(({ code, stdout }) => ({ code, stdout }))).toEqual([
      { code: 1, stdout: "" },
      { code: 1, stdout: "" }
    ])
    expect(ends.map(({ stderr }) => stderr)).toEqual([
      'The bucket "no-such-bucket" does not exist.\n',
      "The store does not know the access key id; check the AWS credentials.\n"
    ])
  })
})
