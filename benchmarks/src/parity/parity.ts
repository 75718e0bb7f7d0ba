/**
 * Compares the responses and the events of all contestants before the measurement.
 */
import { deepStrictEqual } from "node:assert/strict"
import { takesPart } from "../contestants/contestants.ts"
import type { Running } from "../contestants/processes.ts"
import type { Database } from "../services/database/database.ts"
import type { Fixture } from "../services/database/fixture.ts"
import type { Workload, WorkloadRequest } from "../workloads.ts"
import { type Answer, makeAsk, send } from "./answers.ts"
import { compareEvents } from "./events.ts"
import { get, refusals, sendJson } from "./refusals.ts"

const statusAndCode = ({ body, status }: Answer): string => `${status} ${JSON.parse(body || "{}").code ?? ""}`

/** Only effective changes raise the version. */
const versionsAfterChanges = async (running: Running, { writer }: Fixture): Promise<void> => {
  const path = `/api/sites/${writer.siteIds[9]}`
  const versions: Array<number> = []
  for (const latitude of [1, 1, 2]) {
    const response = await send(running, sendJson("PUT", path, writer.key, { latitude, capacity: 2.5 }))
    versions.push(Number(response.headers.get("etag")?.slice(1, -1)))
  }
  const [first = 0] = versions
  deepStrictEqual(versions, [first, first, first + 1])
}

/** Requests with equal responses, beside those that are measured. */
const furtherRequests = async (fixture: Fixture, running: Running): Promise<ReadonlyArray<WorkloadRequest>> => {
  const { reader, writer } = fixture
  const page = await send(running, get("/api/sites?limit=7", reader.key))
  const { nextCursor } = JSON.parse(await page.text())
  const files = [
    { filename: "a/b.pdf", mimeType: "application/pdf" },
    { filename: "page.html", mimeType: "text/html" },
    { filename: "big.bin", mimeType: "none", fileSize: 104_857_601 },
    { filename: "notes", mimeType: "Text/Plain; charset=utf-8" }
  ]
  const site = { siteName: "  Created Cafe\u0301 ", capacity: 0.1, unit: "MW", id: writer.siteIds[0], address: null }
  const externalId = "taken"
  const update = (n: number, changes: object) => sendJson("PUT", `/api/sites/${writer.siteIds[n]}`, writer.key, changes)
  return [
    get(`/api/sites?limit=7&cursor=${nextCursor}`, reader.key),
    sendJson("POST", "/api/sites", writer.key, site),
    update(0, { externalId, tags: ["b", "a"], attributes: { phase: 3, grid: "DNO" } }),
    update(1, { externalId }),
    sendJson("POST", "/api/sites", writer.key, { ...site, externalId }),
    sendJson("POST", "/api/docs/bulk-upload-url", writer.key, {
      siteId: writer.siteIds[0],
      fileType: "documents",
      files
    })
  ]
}

/**
 * Sends every request of `workloads` and further ones to all contestants. Rejects with the
 * contestant, the request and the difference. The first contestant is the reference when Solar
 * Sites does not take part.
 */
export const checkParity = async (
  running: ReadonlyArray<Running>,
  database: Database,
  workloads: ReadonlyArray<Workload>
): Promise<void> => {
  const { fixture } = database
  const standard = running.find(({ contestant }) => contestant.name === "solar-sites") ?? running[0]
  if (standard === undefined) return
  const ask = makeAsk(fixture)
  const within = async ({ contestant }: Running, what: string, check: () => Promise<void> | void): Promise<void> => {
    try {
      await check()
    } catch (cause) {
      const difference = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`${contestant.title} does not answer as it should. ${what}: ${difference}`, { cause })
    }
  }
  const compare = async (request: WorkloadRequest, among: ReadonlyArray<Running>): Promise<void> => {
    const expected = await ask(standard, request)
    for (const one of among) {
      const check = async () => deepStrictEqual(await ask(one, request), expected)
      await within(one, `${request.method} ${request.path}`, check)
    }
  }
  for (const workload of workloads) {
    const { request, second } = workload
    const among = running.filter(({ contestant }) => takesPart(contestant, workload))
    for (const n of [0, 1]) {
      await compare(request(fixture, n), among)
      if (second !== undefined) await compare(second(fixture, n), among)
    }
  }
  for (const request of await furtherRequests(fixture, standard)) await compare(request, running)
  for (const one of running) {
    await within(one, "versions after three changes of a site", () => versionsAfterChanges(one, fixture))
    for (const [expected, request] of refusals(fixture)) {
      const check = async () => deepStrictEqual(statusAndCode(await ask(one, request)), expected)
      await within(one, `${request.method} ${request.path} ${request.body ?? ""}`, check)
    }
  }
  await compareEvents(running, standard, database, within)
}
