import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { check } from "../src/check.ts"

const context = { seed: 5, path: undefined, runs: undefined }

const property = fc.asyncProperty(fc.array(fc.nat()), async (all) => {
  if (all.some((one) => one > 999)) throw new Error("too large")
})

describe("a property of a proof", () => {
  it("that holds returns the number of its runs", async () => {
    const always = fc.asyncProperty(fc.nat(), async () => {})
    expect(await check(always, context, "example", 7)).toBe(7)
  })

  it("that fails is shrunk, says why, and names the command that replays it", async () => {
    const failure: unknown = await check(property, context, "example --on memory", 100).catch((error) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/Counterexample: \[\[1000\]\][\s\S]*too large/) })
    const [, path] = /proof example --on memory --seed 5 --path (\S+)/.exec(String(failure)) ?? []
    const replayed = check(property, { ...context, path }, "example", 1)
    await expect(replayed).rejects.toThrow("Counterexample: [[1000]]")
  })
})
