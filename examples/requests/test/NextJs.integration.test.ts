import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Running, start } from "./ExampleProcess.ts"
import { answersAll } from "./Requests.ts"

// The development server: building for production takes several times as long, with equal answers.
const example = {
  name: "nextjs",
  command: ["node_modules/next/dist/bin/next", "dev", "--hostname", "127.0.0.1"],
  ready: /x-api-key: (\S+)\n/
}

describe("the example nextjs", () => {
  let running: Running
  beforeAll(async () => {
    running = await start(example)
    // Next compiles a route on its first request.
    await Promise.all(["/solar/health/live", "/hello"].map((path) => fetch(running.address + path)))
  })
  afterAll(() => running?.stop())

  describe("below /solar", () => {
    answersAll(() => ({ base: `${running.address}/solar`, credentials: { "x-api-key": running.matched } }))
  })

  // Next compiles the page for unknown paths on its first request.
  it("leaves other pages, and unknown ones, to the host", async () => {
    expect(await (await fetch(`${running.address}/hello`)).text()).toBe("Hello from the host.")
    const { headers, status } = await fetch(`${running.address}/nowhere`)
    expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
  })
})
