import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { type Example, type Running, start } from "./ExampleProcess.ts"
import { beginRequest, refused } from "./LastRequest.ts"
import { answersAll, type Traits } from "./Requests.ts"

const withKey = /x-api-key: (\S+)\n/
const main = ["src/main.ts"]

interface Mount extends Traits {
  readonly prefix: string
}

const mounts: ReadonlyArray<Example & { readonly mounts: ReadonlyArray<Mount> }> = [
  { name: "node-http", command: main, ready: withKey, mounts: [{ prefix: "/solar", hasStore: true }] },
  {
    name: "express",
    command: main,
    ready: withKey,
    mounts: [{ prefix: "/solar" }, { prefix: "/late/solar", parsedByHost: true }]
  },
  { name: "fastify", command: main, ready: withKey, mounts: [{ prefix: "/solar" }] },
  { name: "hono", command: main, ready: withKey, mounts: [{ prefix: "/solar", hasStore: true }] },
  { name: "sqlite", command: main, ready: withKey, mounts: [{ prefix: "/solar", hasStore: true }] },
  { name: "nestjs", command: ["--import=tsx", ...main], ready: withKey, mounts: [{ prefix: "/solar" }] }
]

describe.each(mounts)("the example $name", (example) => {
  let running: Running
  let isStopped = true
  // Also after the test that stops it.
  beforeEach(async () => {
    if (!isStopped) return
    isStopped = false
    running = await start(example)
  })
  afterAll(() => running?.stop())

  const hosts = async (path: string) => {
    const response = await fetch(running.address + path)
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
  }

  describe.each(example.mounts)("below $prefix", ({ prefix, ...traits }) => {
    answersAll(() => ({ base: running.address + prefix, credentials: { "x-api-key": running.matched } }), traits)
  })

  it("leaves other pages, and unknown ones, to the host", async () => {
    expect(await hosts("/hello")).toMatchObject({ status: 200, text: "Hello from the host." })
    for (const path of ["/nowhere", "/api/sites", "/solarium/api/sites"]) {
      const { status, type } = await hosts(path)
      expect([path, status, type]).not.toEqual([path, 404, "application/problem+json"])
      expect(status).toBe(404)
    }
  })

  it("answers requests in progress when it is stopped, then ends", async () => {
    const { address, matched, stop } = running
    const last = await beginRequest(`${address}/solar/api/sites`, matched)
    const ended = stop()
    isStopped = true
    await refused(address)
    expect(await last.end({ siteName: "The last one", capacity: 1, unit: "MW" })).toBe(201)
    expect((await ended).code).toBe(0)
  })
})
