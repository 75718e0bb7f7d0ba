import { IdGenerator, makeUuidV7, RandomBytes, SeededIds, SiteId, seededIds, withSeededIds } from "@solar-sites/core"
import { Effect, Exit } from "effect"
import { expect, it } from "vitest"

const take = (ids: Effect.Effect<string>, count: number) =>
  Effect.runSync(Effect.all(Array.from({ length: count }, () => ids)))

const seed = Effect.runSync(makeUuidV7())

it("gives the same ids for the same seed, in the same order, each once", () => {
  const first = take(seededIds(seed), 300)
  expect(take(seededIds(seed), 300)).toEqual(first)
  expect(new Set(first).size).toBe(300)
})

it("gives ids of version 7 that ascend from the time of the seed on", () => {
  const ids = take(seededIds(seed), 300)
  expect(ids).toEqual(ids.toSorted())
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(SiteId.make(id).slice(0, 18)).toBe(seed.slice(0, 18))
  }
})

it("gives no id of one seed for another, even when both were made in one millisecond with the same random bytes", () => {
  const unlucky = Effect.provideService(makeUuidV7(), RandomBytes, (length) => new Uint8Array(length))
  const seeds = take(unlucky, 40)
  const ids = seeds.flatMap((one) => take(seededIds(one), 120))
  expect(new Set(ids).size).toBe(40 * 120)
})

it("ends with a defect rather than with an id that was given already", () => {
  const ids = seededIds(seed)
  take(ids, 0x4000)
  expect(Exit.isFailure(Effect.runSyncExit(ids))).toBe(true)
})

it("begins anew whenever the effect is run again, and ends with it", () => {
  const seen = Effect.map(SeededIds, (ids) => ids)
  const three = Effect.gen(function* () {
    const ids = (yield* SeededIds) ?? (yield* IdGenerator)
    return [yield* ids, yield* ids, yield* ids]
  })
  const prepared = withSeededIds(seed)(three)
  expect(Effect.runSync(prepared)).toEqual(take(seededIds(seed), 3))
  expect(Effect.runSync(prepared)).toEqual(take(seededIds(seed), 3))
  expect(Effect.runSync(Effect.andThen(prepared, seen))).toBe(null)
})
