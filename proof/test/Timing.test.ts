import { describe, expect, it } from "vitest"
import { compare, confirmed, isApart, isFarApart, type Measure, randomOf, welch } from "../src/timing/Statistics.ts"
import { difference } from "../src/timing/timing.ts"

/** Times like those of a server: about one millisecond, skewed, with seldom pauses. */
const noise = (random: () => number): number => 1 - 0.3 * Math.log(1 - random()) + (random() < 0.01 ? 50 * random() : 0)

/** `more` milliseconds for requests of the first kind. */
const times = (seed: number, more: number): Measure => {
  const random = randomOf(seed)
  return async (kind) => noise(random) + (kind === "a" ? more : 0)
}

describe("the proof timing", () => {
  it("computes Welch's t", () => {
    expect(welch([1, 2, 3], [1, 2, 3])).toBe(0)
    expect(welch([1, 2, 3, 4], [3, 4, 5, 6, 7])).toBeCloseTo(-2.61, 2)
  })

  it("tells equal requests not apart, in either form", async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const comparison = await compare(times(seed, 0), 2_000, randomOf(seed))
      expect([isApart(comparison), isFarApart(comparison)]).toEqual([false, false])
    }
  })

  it("tells a difference of a twentieth apart in the long form, and one of 2 ms in the short form", async () => {
    expect(isApart(await compare(times(11, 0.07), 10_000, randomOf(1)))).toBe(true)
    expect(isFarApart(await compare(times(12, 2), 150, randomOf(1)))).toBe(true)
    expect(isFarApart(await compare(times(13, 0.07), 150, randomOf(1)))).toBe(false)
  })

  it("repeats the order of a seed", async () => {
    const order = async (seed: number) => {
      const kinds: Array<string> = []
      const record: Measure = async (kind) => kinds.push(kind)
      await compare(record, 50, randomOf(seed))
      return kinds.join("")
    }
    expect(await order(3)).toBe(await order(3))
    expect(await order(3)).not.toBe(await order(4))
  })

  it("needs a second measurement in the same direction", async () => {
    const far = { t: 20, medians: [2, 1], count: 100 } as const
    const results = [far, { ...far, t: -20 }]
    expect(await confirmed(async () => results.shift() ?? far, isFarApart)).toMatchObject({ differs: false })
    expect(await confirmed(async () => far, isFarApart)).toMatchObject({ differs: true })
  })

  it("finds a login that takes 2 ms more for known addresses, and one with another answer", async () => {
    const pair = {
      name: "login",
      status: 401,
      request: (kind: string) => ({ method: "POST", path: kind, headers: {} })
    }
    const options = { count: 150, differs: isFarApart, log: () => {}, random: randomOf(1) }
    const random = randomOf(21)
    const answering = (more: number, text: (path: string) => string) =>
      difference(
        pair,
        async ({ path }) => ({
          milliseconds: noise(random) + (path === "a" ? more : 0),
          status: 401,
          text: text(path)
        }),
        options
      )
    expect(await answering(0, () => "no")).toBeUndefined()
    expect(await answering(2, () => "no")).toMatch(/^login: t \d/)
    expect(await answering(0, (path) => path)).toMatch(/different answers/)
    const limited = async () => ({ milliseconds: 1, status: 429, text: "" })
    await expect(difference(pair, limited, options)).rejects.toThrow("login: status 429")
  })
})
