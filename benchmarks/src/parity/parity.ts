/**
 * Compares the responses of all contestants before the measurement. Contestants that follow the
 * model return the same bytes as the reference server. The others were written for the first model:
 * all their members are compared.
 */
import { deepStrictEqual } from "node:assert/strict"
import type { Running } from "../contestants/processes.ts"
import type { Fixture } from "../services/database/fixture.ts"
import type { Workload, WorkloadRequest } from "../workloads.ts"
import { type Answer, makeAsk, send } from "./answers.ts"
import { get, refusals, sendJson } from "./refusals.ts"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `whole` without the object members that `part` lacks, at any depth. */
const restrictedTo = (part: unknown, whole: unknown): unknown => {
  if (Array.isArray(part) && Array.isArray(whole)) return whole.map((item, index) => restrictedTo(part[index], item))
  if (!isObject(part) || !isObject(whole)) return whole
  return Object.fromEntries(
    Object.keys(whole).flatMap((name) => (name in part ? [[name, restrictedTo(part[name], whole[name])]] : []))
  )
}

const isJson = ({ headers }: Answer) => headers["content-type"]?.endsWith("json") === true

/** Throws an `AssertionError` when the answers differ. */
export const compareAnswers = (answer: Answer, expected: Answer, followsModel: boolean): void => {
  if (followsModel || !isJson(answer) || !isJson(expected)) {
    deepStrictEqual(answer, expected)
  } else {
    const body: unknown = JSON.parse(answer.body)
    deepStrictEqual({ ...answer, body }, { ...expected, body: restrictedTo(body, JSON.parse(expected.body)) })
  }
}

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
  return [
    get(`/api/sites?limit=7&cursor=${nextCursor}`, reader.key),
    sendJson("POST", "/api/sites", writer.key, site),
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
  fixture: Fixture,
  workloads: ReadonlyArray<Workload>
): Promise<void> => {
  const standard = running.find(({ contestant }) => contestant.name === "solar-sites") ?? running[0]
  if (standard === undefined) return
  const ask = makeAsk(fixture)
  const requests = [
    ...workloads.flatMap(({ request }) => [request(fixture, 0), request(fixture, 1)]),
    ...(await furtherRequests(fixture, standard))
  ]
  const within = async ({ contestant }: Running, what: string, check: () => Promise<void> | void): Promise<void> => {
    try {
      await check()
    } catch (cause) {
      const difference = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`${contestant.title} does not answer as it should. ${what}: ${difference}`, { cause })
    }
  }
  for (const request of requests) {
    const expected = await ask(standard, request)
    for (const one of running) {
      const { followsModel = false } = one.contestant
      const check = async () => compareAnswers(await ask(one, request), expected, followsModel)
      await within(one, `${request.method} ${request.path}`, check)
    }
  }
  for (const one of running) {
    await within(one, "versions after three changes of a site", () => versionsAfterChanges(one, fixture))
    for (const [expected, request] of refusals(fixture)) {
      const check = async () => deepStrictEqual(statusAndCode(await ask(one, request)), expected)
      await within(one, `${request.method} ${request.path} ${request.body ?? ""}`, check)
    }
  }
}
