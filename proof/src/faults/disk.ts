/**
 * A server on a small disk that gets full: of files, or of the embedded database.
 */
import { execFile } from "node:child_process"
import { rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { operator } from "../../../apps/reference-server/test/Operator.ts"
import {
  type Server,
  serve,
  stop,
  temporaryFolder,
  type Variables
} from "../../../apps/reference-server/test/SolarSitesProcess.ts"
import type { Observation, Outcome } from "./judge.ts"
import { ask, type Reply, type System } from "./System.ts"

const execute = promisify(execFile)
const megabyte = 1_048_576
const patienceMillis = 60_000
const requestMillis = 10_000
const noDisk = "mounting a small disk is not permitted"

interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Leaves so many bytes free. */
  readonly fill: (leftBytes: number) => Promise<void>
  readonly free: () => Promise<void>
}

/** Undefined where mounting a file system is not permitted. */
const smallDisk = async (size: string): Promise<SmallDisk | undefined> => {
  const folder = await temporaryFolder()
  const { path } = folder
  try {
    await execute("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path])
  } catch {
    await folder[Symbol.asyncDispose]()
    return undefined
  }
  const filler = join(path, "filler")
  return {
    path,
    fill: async (leftBytes) => {
      const { bavail, bsize } = await statfs(path)
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)))
    },
    free: () => rm(filler),
    [Symbol.asyncDispose]: async () => {
      await execute("umount", ["--lazy", path])
      await folder[Symbol.asyncDispose]()
    }
  }
}

type Attempt = (probe: string, good: number, send: () => Promise<Reply>) => Promise<Reply>

interface Scenario {
  readonly server: Server
  readonly key: string
  readonly attempt: Attempt
}

/** Runs the scenario on a server with these settings. `recover` is repeated until it succeeds. */
const onSmallDisk = async (
  disk: SmallDisk,
  variables: Variables,
  key: string,
  scenario: (given: Scenario) => Promise<{
    readonly recover: () => Promise<Reply>
    readonly lost: () => Promise<ReadonlyArray<string>>
  }>
): Promise<Outcome> => {
  const observations: Array<Observation> = []
  const attempt: Attempt = async (probe, good, send) => {
    const start = performance.now()
    const reply = await send()
    const { code, retryAfter, status } = reply
    const [isGood, millis] = [status === good, performance.now() - start]
    observations.push({ probe, needs: [], boundMillis: requestMillis, status, code, retryAfter, isGood, millis })
    return reply
  }
  const server = await serve({ ...variables, LOG_LEVEL: "error", RATE_LIMIT_PER_MINUTE: "0" })
  let crash: string | undefined
  let isOver = false
  void server.finished.then(({ code, signal }) => {
    if (!isOver) crash = String(code ?? signal)
  })
  try {
    const { lost, recover } = await scenario({ server, key, attempt })
    await attempt("live", 200, () => ask(`${server.address}/health/live`))
    await disk.free()
    const freeAt = performance.now()
    let status = 503
    while (status === 503 && performance.now() - freeAt < patienceMillis) {
      status = (await attempt("recover", 201, recover)).status
      if (status === 503) await sleep(20)
    }
    const recoveryMillis = performance.now() - freeAt
    return { observations, recoveryMillis, lastToRecover: "writes", deliveryMillis: 0, lost: await lost(), crash }
  } finally {
    isOver = true
    await stop(server)
  }
}

const newKey = async (variables: Variables): Promise<string> => {
  const by = operator(variables, "apply")
  const { key } = await by.createKey(await by.createOrganisation())
  await by.close()
  return key
}

const callOf =
  ({ key, server }: Pick<Scenario, "key" | "server">) =>
  (method: string, path: string, body?: unknown): Promise<Reply> =>
    ask(`${server.address}${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })

const aSite = (siteName: string) => ({ siteName, capacity: 1, unit: "MW", address: siteName.padEnd(500, ".") })

/** Files in a folder. A file that does not fit is refused, and leaves nothing behind. */
export const fullFolder = async ({ services: { databaseUrl } }: System): Promise<Outcome | string> => {
  await using disk = await smallDisk("8m")
  if (disk === undefined) return noDisk
  const variables = { DATABASE_URL: databaseUrl, DATABASE_SCHEMA: "faults_folder", DATA_DIR: disk.path }
  // Awaited, so that the disk stays until then.
  return await onSmallDisk(disk, variables, await newKey(variables), async ({ attempt, key, server }) => {
    const call = callOf({ key, server })
    const site = await attempt("create", 201, () => call("POST", "/api/sites", aSite("A site")))
    const send = async (content: string) => {
      const files = [{ filename: "note.txt", mimeType: "text/plain" }]
      const body = { siteId: site.json["id"], fileType: "documents", files }
      const { json } = await call("POST", "/api/docs/bulk-upload-url", body)
      const [issued] = Array.isArray(json["results"]) ? json["results"] : []
      const { headers, url } = issued.uploadUrl
      return { id: String(issued.documentId), put: () => ask(url, { method: "PUT", headers, body: content }) }
    }
    const kept = "kept".repeat(1_000)
    const before = await send(kept)
    await attempt("file before", 201, before.put)
    await disk.fill(megabyte)
    const large = await send("x".repeat(3 * megabyte))
    await attempt("file", 201, large.put)
    await attempt("create", 201, () => call("POST", "/api/sites", aSite("Another")))
    const lost = async () => {
      const { json } = await call("GET", `/api/docs/${before.id}/download-url`)
      const content = await (await fetch(String(json["url"]))).text()
      return content === kept ? [] : ["the file stored before"]
    }
    return { recover: large.put, lost }
  })
}

/** Bytes that are left of the disk, by what they have no room for. */
export const leftBytes = {
  tables: 3 * megabyte,
  // A segment of the log has 16 MB, and until the next one the tables grow by less.
  log: 12 * megabyte
}

/** The embedded database. Writes are refused; what was acknowledged stays. */
export const fullDatabase = async (left: number): Promise<Outcome | string> => {
  await using disk = await smallDisk("128m")
  if (disk === undefined) return noDisk
  const variables = { DATA_DIR: disk.path, QUERY_TIMEOUT: "30s" }
  // Awaited, so that the disk stays until then.
  return await onSmallDisk(disk, variables, await newKey(variables), async ({ attempt, key, server }) => {
    const call = callOf({ key, server })
    const acknowledged: Array<string> = []
    const create = async () => {
      const name = `Site ${acknowledged.length}`
      const reply = await call("POST", "/api/sites", aSite(name))
      if (reply.status === 201) acknowledged.push(name)
      return reply
    }
    await attempt("create", 201, create)
    await disk.fill(left)
    while ((await attempt("create", 201, create)).status === 201 && acknowledged.length < 20_000) {}
    const lost = async () => {
      const { json } = await call("GET", "/api/sites")
      const stored = new Set(Array.isArray(json["data"]) ? json["data"].map(({ siteName }) => siteName) : [])
      return acknowledged.filter((name) => !stored.has(name))
    }
    return { recover: create, lost }
  })
}
