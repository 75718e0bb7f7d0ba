import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { check, endsWithin } from "../src/check.ts"

const context = { seed: 5, path: undefined, runs: undefined }

const property = fc.asyncProperty(fc.array(fc.nat()), async (all) => {
  if (all.some((one) => one > 999)) throw new Error("too large")
})

describe("a property of a proof", () => {
  it("that holds returns the number of its runs", async () => {
    const always = fc.asyncProperty(fc.nat(), async () => {})
    expect(await check(always, context, "example", 7)).toBe(7)
  })

  it("reports once a minute how many runs held", async () => {
    let now = 0
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now)
    const lines: Array<string> = []
    const slow = fc.asyncProperty(fc.nat(), async () => {
      now += 25_000
    })
    try {
      await check(slow, { ...context, log: (line) => lines.push(line) }, "example", 7)
    } finally {
      clock.mockRestore()
    }
    expect(lines).toEqual(["3 of 7 runs held", "6 of 7 runs held"])
  })

  it("that fails is shrunk, says why, and names the command that replays it", async () => {
    const failure: unknown = await check(property, context, "example --on memory", 100).catch((error) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/Counterexample: \[\[1000\]\][\s\S]*too large/) })
    const [, path] = /proof example --on memory --seed 5 --path (\S+)/.exec(String(failure)) ?? []
    const replayed = check(property, { ...context, path }, "example", 1)
    await expect(replayed).rejects.toThrow("Counterexample: [[1000]]")
  })
})

describe("the time limit of a proof", () => {
  it("fails a proof that never ends, and says so", async () => {
    await expect(endsWithin(0.0001, new Promise(() => {}))).rejects.toThrow("not over after 0.0001 minutes: it hangs")
  })

  it("returns what a proof in time returns, or its failure", async () => {
    expect(await endsWithin(1, Promise.resolve("held"))).toBe("held")
    await expect(endsWithin(1, Promise.reject(new Error("found")))).rejects.toThrow("found")
  })
})
