import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Load, startLoad } from "../../src/load/load.ts"
import { processUse } from "../../src/load/processUse.ts"
import { makeKey } from "../../src/services/database/fixture.ts"
import { startHttp } from "../../src/services/http.ts"

const place = { organisationId: "organisation", key: makeKey(), siteIds: ["site"], portfolioIds: ["portfolio"] }
const others = [{ ...place, documentIds: Array.from({ length: 100_000 }, (_, n) => String(n)) }]
const fixture = { reader: place, writer: place, mover: place, others, freshKeys: [makeKey()] }

describe("the load generator", () => {
  let load: Load
  beforeAll(async () => {
    load = await startLoad(fixture)
  })
  afterAll(() => load.stop())

  const task = (workload: string, origin: string) => ({
    workload,
    origin,
    pid: process.pid,
    connections: 2,
    warmUpSeconds: 0,
    seconds: 0.5
  })

  it("counts responses, and varies the requests of a varying workload", async () => {
    const asked: Array<string | undefined> = []
    const server = await startHttp(
      createServer(({ headers }, response) => {
        asked.push(headers["x-forwarded-for"]?.toString())
        response.writeHead(401).end()
      })
    )
    const { p50Ms, p99Ms, perSecond, requests } = await load.measure(task("refused", server.url))
    await server.stop()
    assert.isAtLeast(requests, 1)
    assert.isAtMost(requests, asked.length)
    assert.isAbove(perSecond, 0)
    assert.isAtMost(p50Ms, p99Ms)
    assert.strictEqual(new Set(asked).size, asked.length)
  })

  it("sends the second request of a workload after the response to the first one", async () => {
    const approved = new Set<string | undefined>()
    const faults: Array<string> = []
    const server = await startHttp(
      createServer((request, response) => {
        request.setEncoding("utf8").once("data", (body: string) => {
          const isFirst = body.includes("approved")
          if (isFirst === approved.has(request.url)) faults.push(`${request.url} ${body}`)
          if (isFirst) approved.add(request.url)
          response.end()
        })
      })
    )
    const { requests } = await load.measure({ ...task("approve", server.url), seconds: 1 })
    await server.stop()
    assert.isAbove(requests, 4)
    assert.deepStrictEqual(faults, [])
  })

  it("counts no other status as a response", async () => {
    const server = await startHttp(createServer((_, response) => response.writeHead(500).end()))
    const failure = await load.measure(task("live", server.url)).catch(String)
    await server.stop()
    assert.match(String(failure), /\d+ × 500 instead of 200/)
  })

  it("reports the use of a process, on Linux", async () => {
    const own = await processUse(process.pid)
    if (process.platform !== "linux") return assert.isNull(own)
    assert.isAbove(own?.processorMicros ?? 0, 0)
    assert.isAbove(own?.residentMegabytes ?? 0, 10)
    assert.strictEqual(await processUse(2 ** 30), null)
  })
})
