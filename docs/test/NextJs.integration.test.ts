import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Running, start } from "../../examples/requests/test/ExampleProcess.ts"
import { answersAll } from "../../examples/requests/test/Requests.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
// Not synchronous: a blocked test does not see that Next has closed an idle connection, and uses it again.
const execute = (command: string, ...args: ReadonlyArray<string>) => promisify(execFile)(command, args, { cwd: root })

// The development server: building for production takes several times as long, with equal answers.
const example = {
  name: "nextjs",
  command: ["node_modules/next/dist/bin/next", "dev", "--hostname", "127.0.0.1"],
  ready: /x-api-key: (\S+)\n/
}

describe("the example nextjs", () => {
  let running: Running
  beforeAll(async () => {
    await execute("npx", "-y", "pnpm@10", "--dir", "examples/nextjs", "install", "--frozen-lockfile")
    running = await start(example)
    // Next compiles a route on its first request.
    await Promise.all(["/solar/health/live", "/hello"].map((path) => fetch(running.address + path)))
  })
  afterAll(() => running?.stop())

  describe("below /solar", () => {
    answersAll(() => ({ base: `${running.address}/solar`, credentials: { "x-api-key": running.matched } }))
  })

  it("has right types", async () => {
    await execute(join(root, "node_modules/.bin/tsc"), "-b", "--singleThreaded", "examples/nextjs/tsconfig.check.json")
  })

  // Not for an unknown path: Next compiles its own page for that, for more than half of the time of this file.
  it("leaves other routes to the host", async () => {
    expect(await (await fetch(`${running.address}/hello`)).text()).toBe("Hello from the host.")
    const { headers, status } = await fetch(`${running.address}/hello`, { method: "DELETE" })
    expect([status, headers.get("x-request-id")]).toEqual([405, null])
  })
})
