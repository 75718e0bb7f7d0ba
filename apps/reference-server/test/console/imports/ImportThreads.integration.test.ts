import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { attacks } from "../../import/Attacks.ts"
import { busy, streamOf, watchThreads } from "../../import/Threads.ts"
import { migratedAt } from "../../Prepared.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"
import type { Browser } from "../Browser.ts"
import { type ConsoleInstance, consoleInstance } from "../ConsoleInstance.ts"

const options = encodeURIComponent(JSON.stringify({ fileName: "Sites.xlsx", upsert: false, mappings: [] }))
const headers = { "content-type": "application/octet-stream" }
const columns = "POST /console/imports/columns"
const check = `POST /console/imports/check?options=${options}`
const start = `PUT /console/imports/0190a5c0-0000-7000-8000-000000000001?options=${options}`

describe("the threads that read imported files", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let instance: ConsoleInstance
  const anOwner = async () => instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))

  beforeAll(async () => {
    folder = await temporaryFolder()
    instance = await consoleInstance(await migratedAt(join(folder.path, "data")))
  })

  afterAll(async () => {
    await instance.close()
    await folder[Symbol.asyncDispose]()
  })

  const large = busy()

  /** A request whose file keeps a thread busy until the connection is closed. */
  const occupy = (browser: Browser, line: string) => {
    const connection = new AbortController()
    const answer = browser.send(line, { body: streamOf(large), headers, signal: connection.signal })
    const outcome = answer.then(
      ({ outcome }) => outcome,
      () => "closed"
    )
    return { outcome, close: () => connection.abort() }
  }

  it.each([columns, check])("leave other requests alone, and end with the connection: %s", async (line) => {
    const owner = await anOwner()
    using watched = watchThreads()
    const busy = occupy(owner, line)
    await watched.started(1)
    const order: Array<string> = []
    const first = busy.outcome.then(() => order.push("file"))
    expect((await owner.send("GET /console/session")).status).toBe(200)
    order.push("session")
    busy.close()
    await first
    expect(order).toEqual(["session", "file"])
    await Promise.all(watched.threads.map(({ ended }) => ended))
  })

  it("are four at the same time", async () => {
    const owners = await Promise.all([anOwner(), anOwner(), anOwner()])
    using watched = watchThreads()
    const all = owners.flatMap((owner) => [occupy(owner, columns), occupy(owner, check)])
    await watched.started(4)
    // More would have started before this request is answered, which reads the database.
    expect((await owners[0]?.send("GET /console/session"))?.status).toBe(200)
    expect(watched.threads).toHaveLength(4)
    for (const { close } of all) close()
    await Promise.all(all.map(({ outcome }) => outcome))
    await Promise.all(watched.threads.map(({ ended }) => ended))
  })

  it("refuse small files that took minutes or gigabytes", async () => {
    const owner = await anOwner()
    for (const [name, content] of Object.entries(attacks)) {
      const body = streamOf(new Uint8Array(Buffer.from(content())))
      const { json } = await owner.send(check, { body, headers })
      const faults = [expect.objectContaining({ row: expect.any(Number), code: expect.any(String) })]
      expect([name, json]).toEqual([name, expect.objectContaining({ created: 0, faultCount: 1, faults })])
    }
    expect((await owner.send("GET /console/api/sites")).json["data"]).toEqual([])
  })

  it.each([columns, check, start])("answer 400 when they end at a limit: %s", async (line) => {
    const owner = await anOwner()
    const fail = () => Object.assign(new Error("heap"), { code: "ERR_WORKER_OUT_OF_MEMORY" })
    process.once("worker", (worker) => worker.emit("error", fail()))
    const { json, status } = await owner.send(line, { body: streamOf(large), headers })
    expect(status).toBe(400)
    expect(json).toMatchObject({
      code: "validation_failed",
      errors: [{ pointer: "", code: "too_large", detail: "takes more than 256 MB of memory to read" }]
    })
  })

  it("end when the server shuts down during an import", async () => {
    await using own = await temporaryFolder()
    const other = await consoleInstance(await migratedAt(join(own.path, "data")))
    const owner = await other.loggedIn(await other.newUser(await other.newOrganisation(), "owner"))
    using watched = watchThreads()
    const rows = Array.from({ length: 20_000 }, (_, row) => `Site ${row},1,kW`)
    const body = ["siteName,capacity,unit", ...rows].join("\n")
    const accepted = await owner.send(start, { body, headers })
    expect(accepted.status).toBe(202)
    // The first thread has read the digest.
    await watched.started(2)
    await other.close()
    await Promise.all(watched.threads.map(({ ended }) => ended))
    expect(watched.threads).toHaveLength(2)
  })
})
