import { SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it } from "vitest"
import { runEach } from "../../src/lists/runEach.ts"

const items = Array.from({ length: 12 }, (_, index) => index)

const limited = new SolarSitesProblem(
  { type: "", title: "", status: 429, detail: "Too many requests.", code: "rate_limited", requestId: "request-1" },
  { what: "PUT /console/api/sites/1", attempts: 1 },
  0
)

describe("an action for each item", () => {
  it("runs for four items at a time, and goes on after a failure", async () => {
    let running = 0
    let most = 0
    const ended: Array<number> = []
    const act = async (item: number) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      if (item % 5 === 1) throw new TypeError(`${item} failed`)
    }
    const onEnd = (item: number) => ended.push(item)
    const { failed, wasStopped } = await runEach(items, act, { signal: new AbortController().signal, onEnd })
    expect([most, wasStopped]).toEqual([4, false])
    expect(failed.map(({ item }) => item)).toEqual([1, 6, 11])
    expect(ended.toSorted((a, b) => a - b)).toEqual(items)
  })

  it("is repeated when the server limits the rate", async () => {
    const tries: Array<number> = []
    const act = async (item: number) => {
      tries.push(item)
      if (item === 2 && tries.filter((tried) => tried === 2).length < 3) throw limited
    }
    const result = await runEach(items, act, { signal: new AbortController().signal })
    expect(result).toEqual({ failed: [], wasStopped: false })
    expect(tries).toHaveLength(items.length + 2)
  })

  it("begins no further item after a stop", async () => {
    const stopping = new AbortController()
    const tried: Array<number> = []
    const act = async (item: number) => {
      tried.push(item)
      if (item === 3) stopping.abort()
    }
    const result = await runEach(items, act, { signal: stopping.signal, concurrency: 1 })
    expect([tried, result]).toEqual([[0, 1, 2, 3], { failed: [], wasStopped: true }])
  })
})
