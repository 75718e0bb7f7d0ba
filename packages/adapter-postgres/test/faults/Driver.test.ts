import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { patched, unpatched } from "./Drivers.ts"

const child = fileURLToPath(new URL("./DriverChild.ts", import.meta.url))

const toldBy = (driver: string) =>
  Effect.promise(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [child, driver], { timeout: 500_000 })
    return JSON.parse(stdout)
  })

describe("the driver, when connections close at the wrong moment", () => {
  it.live("with our patch fails the lost statements and goes on", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* toldBy(yield* patched), {
        buffered: { lost: "CONNECTION_CLOSED", next: "answered" },
        broken: { lost: "EPIPE", meanwhile: "CONNECTION_CLOSED", next: "answered" },
        late: { fault: null, query: "CONNECTION_CLOSED" }
      })
    })
  )

  // When this fails, upstream may have been mended: then the patch can go.
  it.live("as published hangs, and throws an uncaught error", () =>
    Effect.gen(function* () {
      const { broken, buffered, late } = yield* toldBy(yield* unpatched)
      assert.strictEqual(buffered.next, "never answered")
      assert.strictEqual(broken.meanwhile, "never answered")
      assert.match(late.fault, /^TypeError: Cannot read properties of null/)
    })
  )
})
