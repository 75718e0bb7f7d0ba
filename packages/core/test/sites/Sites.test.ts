import { describe, expect, it } from "@effect/vitest"
import { PortfolioId, Portfolios, Sites } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { aPerson, as, services } from "../services.ts"

const input = { siteName: "Long Meadow", capacity: 0.07, unit: "MW" } as const

describe("Sites", () => {
  it.effect("creates a site in the caller's organisation, now, in version 1, with null for what was left out", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const sites = yield* Sites
      const person = yield* aPerson
      const site = yield* sites.create(input).pipe(as(person))
      expect(JSON.parse(JSON.stringify(site))).toEqual({
        id: site.id,
        organisationId: person.organisationId,
        ...input,
        capacityKw: 70,
        address: null,
        latitude: null,
        longitude: null,
        portfolioId: null,
        siteManager: null,
        coverImageUrl: null,
        createdAt: "1970-01-01T00:00:01.000Z",
        updatedAt: "1970-01-01T00:00:01.000Z",
        version: 1,
        externalId: null,
        tags: [],
        attributes: {}
      })
      expect(yield* sites.get(site.id).pipe(as(person))).toEqual(site)
    }).pipe(Effect.provide(services))
  )

  it.effect("hides a site from another organisation in everything it does", () =>
    Effect.gen(function* () {
      const sites = yield* Sites
      const [owner, stranger] = [yield* aPerson, yield* aPerson]
      const site = yield* sites.create(input).pipe(as(owner))
      const codes = yield* Effect.forEach(
        [sites.get(site.id), sites.update(site.id, { siteName: "Mine" }), sites.delete(site.id)],
        (attempt) => Effect.map(Effect.flip(attempt), ({ code }) => code).pipe(as(stranger))
      )
      expect(codes).toEqual(["site_not_found", "site_not_found", "site_not_found"])
      expect((yield* sites.list().pipe(as(stranger))).data).toEqual([])
      expect((yield* sites.list({ siteId: site.id }).pipe(as(stranger))).data).toEqual([])
      expect(yield* sites.get(site.id).pipe(as(owner))).toEqual(site)
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses a portfolio of another organisation like an absent one, and creates nothing", () =>
    Effect.gen(function* () {
      const sites = yield* Sites
      const [owner, stranger] = [yield* aPerson, yield* aPerson]
      const foreign = yield* (yield* Portfolios).create({ name: "Theirs" }).pipe(as(stranger))
      for (const portfolioId of [foreign.id, PortfolioId.make(aSite().id)]) {
        const refusal = yield* sites.create({ ...input, portfolioId }).pipe(Effect.flip, as(owner))
        expect(refusal).toMatchObject({ _tag: "PortfolioNotFound", portfolioId })
      }
      expect((yield* sites.list().pipe(as(owner))).data).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("counts a change once and none that is none", () =>
    Effect.gen(function* () {
      const sites = yield* Sites
      const person = yield* aPerson
      const site = yield* sites.create(input).pipe(as(person))
      yield* TestClock.adjust("1 minute")
      expect(yield* sites.update(site.id, {}).pipe(as(person))).toEqual(site)
      expect(yield* sites.update(site.id, { ...input, address: null }).pipe(as(person))).toEqual(site)
      const changed = yield* sites.update(site.id, { unit: "kWp" }).pipe(as(person))
      expect(changed).toMatchObject({ unit: "kWp", capacity: 0.07, capacityKw: 0.07, version: 2 })
      expect(changed.updatedAt.epochMilliseconds).toBe(site.updatedAt.epochMilliseconds + 60_000)
    }).pipe(Effect.provide(services))
  )

  it.effect("changes only the version that the writer has seen", () =>
    Effect.gen(function* () {
      const sites = yield* Sites
      const person = yield* aPerson
      const site = yield* sites.create(input).pipe(as(person))
      const refusal = yield* sites.update(site.id, { siteName: "New" }, [2, 3]).pipe(Effect.flip, as(person))
      expect(refusal).toMatchObject({ _tag: "VersionMismatch", actual: 1 })
      expect((yield* sites.update(site.id, { siteName: "New" }, [9, 1]).pipe(as(person))).version).toBe(2)
      expect(yield* sites.delete(site.id, [1]).pipe(Effect.flip, as(person))).toMatchObject({ actual: 2 })
      yield* sites.delete(site.id, [2]).pipe(as(person))
      expect(yield* sites.get(site.id).pipe(Effect.flip, as(person))).toMatchObject({ _tag: "SiteNotFound" })
    }).pipe(Effect.provide(services))
  )

  it.effect("lists page by page, oldest first, and completely without a limit", () =>
    Effect.gen(function* () {
      const sites = yield* Sites
      const person = yield* aPerson
      const made = yield* Effect.forEach(Array.from({ length: 7 }), () => sites.create(input)).pipe(as(person))
      const walked: Array<string> = []
      const sizes: Array<number> = []
      let cursor: string | null = null
      do {
        const page: Effect.Success<ReturnType<typeof sites.list>> = yield* sites
          .list({ limit: 3, ...(cursor === null ? {} : { cursor }) })
          .pipe(as(person))
        walked.push(...page.data.map(({ id }) => id))
        sizes.push(page.data.length)
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(sizes).toEqual([3, 3, 1])
      expect(walked).toEqual(made.map(({ id }) => id))
      expect(yield* sites.list().pipe(as(person))).toEqual({ data: made, nextCursor: null })
    }).pipe(Effect.provide(services))
  )

  it.effect("lists more than a thousand sites completely", () =>
    Effect.gen(function* () {
      const sites = yield* Sites
      const person = yield* aPerson
      yield* Effect.forEach(Array.from({ length: 2_001 }), () => sites.create(input), { discard: true }).pipe(
        as(person)
      )
      const { data, nextCursor } = yield* sites.list().pipe(as(person))
      expect([new Set(data.map(({ id }) => id)).size, nextCursor]).toEqual([2_001, null])
    }).pipe(Effect.provide(services))
  )

  it.effect("refuses a made-up cursor", () =>
    Effect.gen(function* () {
      const refusal = yield* (yield* Sites).list({ cursor: "made-up" }).pipe(Effect.flip, as(yield* aPerson))
      expect(refusal).toMatchObject({
        code: "validation_failed",
        faults: [{ pointer: "/cursor", code: "invalid_cursor" }]
      })
    }).pipe(Effect.provide(services))
  )
})
