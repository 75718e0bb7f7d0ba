import { execFile } from "node:child_process"
import { readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { limitsOf } from "../../src/import/TableLimits.ts"

const app = join(import.meta.dirname, "../..")
const folder = join(app, `node_modules/.cache/build-${process.pid}`)

describe("the build of the server", () => {
  beforeAll(() => promisify(execFile)("npx", ["tsup", "--out-dir", folder, "--no-sourcemap"], { cwd: app }), 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("has the thread that reads files beside the module that starts it", async () => {
    const starting = []
    for (const name of await readdir(folder)) {
      if (name.endsWith(".js") && (await readFile(join(folder, name), "utf8")).includes("./TableThread.js"))
        starting.push(name)
    }
    expect(starting).toHaveLength(1)
    const source = Buffer.from("a,b\n1,2")
    const input = { workerData: { source, limits: limitsOf(source) }, env: {}, execArgv: [] }
    const worker = new Worker(pathToFileURL(join(folder, "TableThread.js")), input)
    const reply = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject))
    worker.postMessage("first")
    expect(await reply).toMatchObject({ _tag: "Answered", value: [{ row: 1, cells: ["a", "b"] }, { row: 2 }] })
    await worker.terminate()
  })
})
