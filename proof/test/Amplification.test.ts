import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { document } from "../../packages/http-node/test/Documented.ts"
import { measureAll } from "../src/amplification/amplification.ts"
import { cases } from "../src/amplification/Inputs.ts"
import { type Gauge, heapGauge } from "../src/amplification/Measured.ts"
import { memoryTarget, type Target } from "../src/fuzz/Target.ts"

const size = { sites: 10, largeSites: 1 }
const chosen = cases.filter(({ operation }) => /createPortfolios|updateSite|issueUploadUrls/.test(operation))
// What the comparison with the bounds finds does not depend on the case.
const smallest = cases.filter(({ operation }) => operation === "updateSite")

describe("the proof amplification", () => {
  let target: Target
  beforeAll(async () => {
    target = await memoryTarget()
  })
  afterAll(() => target.close())

  it("has a case of each operation of the document", () => {
    const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values)
    const covered = new Set(cases.map(({ operation }) => operation))
    expect(operations.map(({ operationId }) => operationId).filter((id) => !covered.has(id))).toEqual([])
  })

  it("measures requests and answers within their bounds", async () => {
    const { excesses, measured } = await measureAll(target, heapGauge, size, chosen)
    expect(excesses).toEqual([])
    expect(measured.map(({ status }) => status)).toEqual([200, 200, 201, 201, 200, 200])
    for (const { answerBytes, requestBytes } of measured) expect(Math.min(answerBytes, requestBytes)).toBeGreaterThan(0)
  })

  it("finds an answer that is too long, and one that fails", async () => {
    const longer: Target = {
      ...target,
      send: async (sent) => {
        const answer = await target.send(sent)
        return sent.method === "PUT" ? { ...answer, status: 500, text: answer.text.repeat(50) } : answer
      }
    }
    const { excesses } = await measureAll(longer, heapGauge, size, smallest)
    expect(excesses.join("\n")).toMatch(/updateSite.*status 500[\s\S]*updateSite.*an answer of \d+ bytes, above/)
  })

  it("finds stored bytes and memory above their bounds, and a size that is no number", async () => {
    let stored = 0
    const growing: Gauge = { begin: async () => async () => 700_000_000, stored: async () => (stored += 50_000_000) }
    const { excesses } = await measureAll(target, growing, size, smallest)
    expect(excesses.filter((excess) => /50000000 bytes stored/.test(excess))).toHaveLength(smallest.length)
    expect(excesses.filter((excess) => /700000000 bytes of memory/.test(excess))).toHaveLength(smallest.length)
    const unknown: Gauge = { begin: heapGauge.begin, stored: async () => Number.NaN }
    expect((await measureAll(target, unknown, size, smallest)).excesses).toHaveLength(smallest.length)
  })
})
