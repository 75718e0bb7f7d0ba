import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { disturb, disturbers } from "../src/load/Disturbers.ts"
import { judgeNeighbour, judgeOverload, quantile, usefulShare } from "../src/load/judge.ts"
import type { Outcome } from "../src/load/sender.ts"

const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  good: Array.from({ length: 1_000 }, () => 50),
  refused: [5, 10],
  limited: 0,
  other: 0,
  ...more
})

const overload = { seconds: 10, leastUseful: 0.8, peak: 100, outcome: outcome(), red: 0, recoveryMillis: 200 }

describe("the judgement of a load", () => {
  it("accepts useful answers, quick refusals and a quick recovery", () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2)
    expect(usefulShare(overload)).toBe(1)
    expect(judgeOverload(overload)).toEqual([])
  })

  it.each([
    ["late answers", { outcome: outcome({ good: Array(1_000).fill(1_001) }) }, "useful answers: 0 % of the peak"],
    ["slow refusals", { outcome: outcome({ refused: [3_000] }) }, "p99 of refusals: 3000 ms"],
    ["red readiness", { red: 2 }, "readiness was red 2 times"],
    ["a slow recovery", { recoveryMillis: 6_000 }, "recovered after 6000 ms"]
  ])("finds %s", (_, changed, violation) => {
    expect(judgeOverload({ ...overload, ...changed })).toEqual([expect.stringContaining(violation)])
  })

  it("compares an organisation with itself", () => {
    const alone = outcome()
    const twice = outcome({ good: Array(1_000).fill(100) })
    expect(judgeNeighbour("flood", alone, outcome({ refused: [] }))).toEqual([])
    expect(judgeNeighbour("flood", alone, { ...twice, refused: [] })).toEqual([
      "flood: p99 of another organisation 100.0 ms, alone 50.0 ms"
    ])
    expect(judgeNeighbour("flood", alone, outcome({ refused: [1], limited: 2 }))).toEqual([
      "flood: requests of another organisation were not served: 429 2, 503 1, others 0"
    ])
  })
})

describe("clients that hold on to a server", () => {
  it.each(disturbers.filter(({ name }) => name !== "silent connections"))(
    "$name: send a request and go on",
    async (one) => {
      let received = ""
      const server = createServer((socket) => {
        socket
          .on("error", () => {})
          .on("data", (data) => {
            received += data
          })
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const { port } = server.address() as AddressInfo // It listens on a port.
      const disturbing = await disturb({ ...one, connections: 3 }, { port, key: "key" })
      expect(disturbing.open()).toBe(3)
      await expect.poll(() => received.split("x-api-key: key").length).toBe(4)
      await disturbing.close()
      expect(disturbing.open()).toBe(0)
      server.close()
    }
  )
})
