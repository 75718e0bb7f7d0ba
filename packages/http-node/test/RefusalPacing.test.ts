import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { makeRefusalPacing, pacingRefusals, restAfter } from "../src/node/RefusalPacing.ts"

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

  /** Instants at which requests of one connection are handled; each is sent when the answer before it has come. */
  const handledAt = async (requests: ReadonlyArray<string>, delay: number) => {
    const handled: Array<number> = []
    const server = createServer((_, response) => {
      handled.push(performance.now())
      response.writeHead(503, { "content-length": "0" }).end()
      restAfter(() => delay, response)
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1")
    for (const request of requests) {
      socket.write(request)
      await once(socket, "data")
    }
    socket.destroy()
    server.close()
    return handled
  }

  const get = "GET / HTTP/1.1\r\nhost: x\r\n\r\n"
  const post = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody"

  it("reads no request from a refused connection before its delay has passed, and every one after it", async () => {
    const [first = 0, second = 0, third = 0] = await handledAt([get, post, get], 120)
    expect(second - first).toBeGreaterThan(110)
    expect(third - second).toBeGreaterThan(110)
  })

  it("lets no connection wait for more than a quarter of a second", async () => {
    const [first = 0, second = 0] = await handledAt([get, get], 60_000)
    expect(second - first).toBeGreaterThan(240)
  }, 50_000)

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
