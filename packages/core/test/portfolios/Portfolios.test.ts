import { describe, expect, it } from "@effect/vitest"
import { type PortfolioPart, Portfolios, Sites } from "@solar-sites/core"
import { Clock, Effect, Stream } from "effect"
import { aPerson, as, services } from "../services.ts"

const input = { siteName: "Long Meadow", capacity: 1, unit: "kW" } as const

/** Portfolios of the given sizes, in an organisation of their own. */
const setup = (...sizes: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const [portfolios, sites, person] = [yield* Portfolios, yield* Sites, yield* aPerson]
    const made = yield* portfolios.createMany(sizes.map((size) => ({ name: `of ${size}` }))).pipe(as(person))
    for (const [index, { id: portfolioId }] of made.entries()) {
      const count = { length: sizes[index] ?? 0 }
      yield* Effect.forEach(Array.from(count), () => sites.create({ ...input, portfolioId })).pipe(as(person))
    }
    return { portfolios, sites, person, made }
  })

describe("Portfolios", () => {
  it.effect("creates many in request order and lists them in that order", () =>
    Effect.gen(function* () {
      const { made, person, portfolios } = yield* setup(0, 0, 0)
      expect(made.map(({ name }) => name)).toEqual(["of 0", "of 0", "of 0"])
      expect((yield* portfolios.list().pipe(as(person))).data).toEqual(made)
    }).pipe(Effect.provide(services))
  )

  it.effect("creates those of one call at one instant, also when the clock moves on meanwhile", () =>
    Effect.gen(function* () {
      const [portfolios, person, clock] = [yield* Portfolios, yield* aPerson, yield* Clock.Clock]
      let now = 1_000
      const ticking = {
        ...clock,
        currentTimeMillisUnsafe: () => now++,
        currentTimeMillis: Effect.sync(() => now++)
      }
      const creating = portfolios.createMany([{ name: "North" }, { name: "South" }]).pipe(as(person))
      const made = yield* Effect.provideService(creating, Clock.Clock, ticking)
      expect(new Set(made.map(({ createdAt }) => createdAt.epochMilliseconds)).size).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("adds each site once, in request order, and changes nothing the second time", () =>
    Effect.gen(function* () {
      const { made, person, portfolios, sites } = yield* setup(2, 0)
      const [from, to] = made
      if (from === undefined || to === undefined) throw new Error("two portfolios were made")
      const [a, b] = (yield* sites.list().pipe(as(person))).data
      if (a === undefined || b === undefined) throw new Error("two sites were made")
      const moved = yield* portfolios.addSites(to.id, [b.id, a.id, b.id]).pipe(as(person))
      expect(moved.map(({ id, portfolioId, version }) => [id, portfolioId, version])).toEqual([
        [b.id, to.id, 2],
        [a.id, to.id, 2]
      ])
      expect(yield* portfolios.addSites(to.id, [b.id, a.id]).pipe(as(person))).toEqual(moved)
      const counts = (yield* portfolios.list().pipe(as(person))).data.map(({ siteCount }) => siteCount)
      expect(counts).toEqual([0, 2])
    }).pipe(Effect.provide(services))
  )

  it.effect("takes repeated ids once when it removes", () =>
    Effect.gen(function* () {
      const { made, person, portfolios, sites } = yield* setup(1)
      const [site] = (yield* sites.list().pipe(as(person))).data
      const [portfolio] = made
      if (site === undefined || portfolio === undefined) throw new Error("one of each was made")
      yield* portfolios.removeSites(portfolio.id, [site.id, site.id]).pipe(as(person))
      expect(yield* sites.get(site.id).pipe(as(person))).toMatchObject({ portfolioId: null, version: 2 })
    }).pipe(Effect.provide(services))
  )

  it.effect("does not count the moves of its sites as changes of its own", () =>
    Effect.gen(function* () {
      const { made, person, portfolios } = yield* setup(3)
      const [portfolio] = (yield* portfolios.list().pipe(as(person))).data
      expect(portfolio).toMatchObject({ siteCount: 3, capacityKw: 3, version: 1, updatedAt: made[0]?.updatedAt })
    }).pipe(Effect.provide(services))
  )

  it.effect("lists portfolios with all their sites, page by page, empty ones too", () =>
    Effect.gen(function* () {
      const { made, person, portfolios } = yield* setup(2, 0, 1, 0)
      const complete = yield* portfolios.listWithSites().pipe(as(person))
      expect(complete.nextCursor).toBeNull()
      expect(complete.data.map(({ id, sites }) => [id, sites.length])).toEqual([
        [made[0]?.id, 2],
        [made[1]?.id, 0],
        [made[2]?.id, 1],
        [made[3]?.id, 0]
      ])
      const first = yield* portfolios.listWithSites({ limit: 3 }).pipe(as(person))
      expect(first.data).toEqual(complete.data.slice(0, 3))
      const cursor = first.nextCursor ?? ""
      expect(yield* portfolios.listWithSites({ limit: 3, cursor }).pipe(as(person))).toEqual({
        data: complete.data.slice(3),
        nextCursor: null
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("streams a portfolio of more sites than a page in pieces, under one heading", () =>
    Effect.gen(function* () {
      const { person, portfolios } = yield* setup(1_001, 1)
      const parts = yield* Stream.runCollect(portfolios.streamWithSites()).pipe(as(person))
      const shape = (part: PortfolioPart) => (part._tag === "Sites" ? part.sites.length : part._tag)
      expect(Array.from(parts, shape)).toEqual(["Portfolio", 500, 250, 250, 1, "Portfolio", 1, "End"])
    }).pipe(Effect.provide(services))
  )

  it.effect("releases its sites when it is deleted", () =>
    Effect.gen(function* () {
      const { made, person, portfolios, sites } = yield* setup(2)
      for (const { id } of made) yield* portfolios.delete(id).pipe(as(person))
      const left = (yield* sites.list().pipe(as(person))).data
      expect(left.map(({ portfolioId, version }) => [portfolioId, version])).toEqual([
        [null, 2],
        [null, 2]
      ])
    }).pipe(Effect.provide(services))
  )
})
