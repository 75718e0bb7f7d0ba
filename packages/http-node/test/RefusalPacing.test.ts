import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { makeRefusalPacing, pacingRefusals } from "../src/node/RefusalPacing.ts"

describe("the pace of refusals", () => {
  it("sends single refusals and short bursts at once", () => {
    const delayAt = makeRefusalPacing()
    expect(Array.from({ length: 100 }, () => delayAt(1_000))).toEqual(Array.from({ length: 100 }, () => 0))
    for (let now = 2_000; now < 3_000; now += 2) expect(delayAt(now)).toBe(0)
  })

  it("spreads a flood to a thousand a second", () => {
    const delayAt = makeRefusalPacing()
    const sentAt = Array.from({ length: 400 }, () => delayAt(0))
    expect(sentAt.filter((at) => at > 100 && at <= 200)).toHaveLength(100)
  })

  it("delays no refusal by more than half a second, and is prompt again after the flood", () => {
    const delayAt = makeRefusalPacing()
    const delays = Array.from({ length: 10_000 }, () => delayAt(0))
    expect(Math.max(...delays)).toBe(500)
    expect(delayAt(1_000)).toBe(0)
  })

  it("holds for 429 and for 401, which a request without a key gets however often it comes", async () => {
    const paced: Array<number> = []
    for (const status of [200, 400, 401, 404, 429, 503]) {
      const pace = pacingRefusals(() => {
        paced.push(status)
        return 1
      })
      expect((await Effect.runPromise(pace(HttpServerResponse.empty({ status })))).status).toBe(status)
    }
    expect(paced).toEqual([401, 429])
  })
})
