import { describe, expect, it } from "@effect/vitest"
import {
  type ApiKey,
  ApiKeyOwners,
  ApiKeys,
  Caller,
  CreateApiKey,
  Events,
  type PortfolioId,
  type PortfolioLimit,
  Portfolios,
  UserId
} from "@solar-sites/core"
import { aPortfolio } from "@solar-sites/testing"
import { Effect, Layer, Result, Schema } from "effect"
import { aPerson, as, outcome, services } from "../services.ts"

/** A person, its portfolios, and the same person with a limit. */
const setup = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const portfolios = yield* Portfolios
  const person = yield* aPerson
  const [inside, outside] = yield* portfolios.createMany([{ name: "Inside" }, { name: "Outside" }]).pipe(as(person))
  if (inside === undefined || outside === undefined) throw new Error("two portfolios were expected")
  const limitedTo = (...portfolioIds: ReadonlyArray<PortfolioId>) => new Caller({ ...person, portfolioIds })
  const create = (caller: Caller, portfolioIds?: PortfolioLimit) =>
    keys.create({ name: "Insurer", ...(portfolioIds === undefined ? {} : { portfolioIds }) }).pipe(as(caller))
  const idsOf = (apiKeys: ReadonlyArray<ApiKey>) => apiKeys.map(({ id }) => id)
  return { keys, portfolios, person, inside: inside.id, outside: outside.id, limitedTo, create, idsOf }
})

describe("API keys that are limited to portfolios", () => {
  it.effect("give their callers the limit, and keep it in a rotation", () =>
    Effect.gen(function* () {
      const { create, inside, keys, outside, person } = yield* setup
      const open = yield* create(person)
      expect(open.apiKey.portfolioIds).toBe(null)
      expect(yield* keys.authenticate(open.secret)).not.toHaveProperty("portfolioIds")
      const { apiKey, secret } = yield* create(person, [outside, inside])
      expect((yield* keys.authenticate(secret)).portfolioIds).toEqual([outside, inside])
      expect(yield* keys.get(apiKey.id).pipe(as(person))).toEqual(apiKey)
      expect((yield* keys.list().pipe(as(person))).data).toEqual([open.apiKey, apiKey])
      const rotated = yield* keys.rotate(apiKey.id).pipe(as(person))
      expect(rotated.apiKey.portfolioIds).toEqual([outside, inside])
      expect(yield* keys.inUse.pipe(as(yield* keys.authenticate(rotated.secret)))).toMatchObject({
        value: { portfolioIds: [outside, inside] }
      })
    }).pipe(Effect.provide(services))
  )

  it.effect("are not created with portfolios of others, which are absent", () =>
    Effect.gen(function* () {
      const { create, inside, keys, person } = yield* setup
      const foreign = (yield* setup).inside
      const unknown = aPortfolio().id
      const refusal = Effect.flip(create(person, [foreign, inside, unknown]))
      expect(yield* refusal).toMatchObject({ _tag: "PortfoliosNotFound", portfolioIds: [foreign, unknown] })
      expect((yield* keys.list().pipe(as(person))).data).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it("name 1 to 50 different portfolios in any case", () => {
    const decode = Schema.decodeUnknownResult(CreateApiKey)
    const ids = Array.from({ length: 51 }, () => aPortfolio().id)
    const accepts = (portfolioIds: unknown) => Result.isSuccess(decode({ name: "Insurer", portfolioIds }))
    for (const valid of [null, ids.slice(0, 50), [ids[0]?.toUpperCase()]]) expect(accepts(valid)).toBe(true)
    const repeated = [ids[0], ids[0]?.toUpperCase()]
    for (const invalid of [[], ids, repeated, ["north"], ids[0]]) expect(accepts(invalid)).toBe(false)
  })

  it.effect("are managed within the limit of the caller, and others are absent", () =>
    Effect.gen(function* () {
      const { create, idsOf, inside, keys, limitedTo, outside, person } = yield* setup
      const limited = limitedTo(inside)
      const others = [
        yield* create(person),
        yield* create(person, [outside]),
        yield* create(person, [inside, outside])
      ].map(({ apiKey }) => apiKey)
      const own = yield* create(limited)
      expect(own.apiKey.portfolioIds).toEqual([inside])
      const given = yield* create(person, [inside])
      expect(yield* outcome(create(limited, null))).toBe("CallerLimited")
      expect(yield* outcome(create(limited, [outside]))).toBe("PortfoliosNotFound")
      for (const { id } of others) {
        for (const attempt of [outcome(keys.get(id)), outcome(keys.rotate(id)), outcome(keys.delete(id))]) {
          expect(yield* attempt.pipe(as(limited))).toBe("ApiKeyNotFound")
        }
      }
      const all = (yield* keys.list().pipe(as(person))).data
      expect(all).toHaveLength(5)
      const seen = [own.apiKey.id, given.apiKey.id]
      expect(idsOf((yield* keys.list().pipe(as(limited))).data)).toEqual(seen)
      const first = yield* keys.list({ limit: 1 }).pipe(as(limited))
      expect(idsOf(first.data)).toEqual(seen.slice(0, 1))
      const cursor = first.nextCursor ?? ""
      expect(yield* keys.list({ limit: 1, cursor }).pipe(as(limited))).toMatchObject({
        data: [{ id: seen[1] }],
        nextCursor: null
      })
      expect(yield* keys.delete(given.apiKey.id).pipe(as(limited))).toEqual(given.apiKey)
      expect((yield* keys.rotate(own.apiKey.id).pipe(as(limited))).apiKey.portfolioIds).toEqual([inside])
    }).pipe(Effect.provide(services))
  )

  it.effect("lose deleted portfolios, and see nothing without any", () =>
    Effect.gen(function* () {
      const { create, inside, keys, outside, person, portfolios } = yield* setup
      const { apiKey, secret } = yield* create(person, [inside, outside])
      const caller = yield* keys.authenticate(secret)
      const read = <A, E>(effect: Effect.Effect<A, E, Events | ApiKeys | Portfolios>) => effect
      const seen = Effect.gen(function* () {
        const events = yield* (yield* Events).list({})
        return {
          portfolios: (yield* portfolios.list()).data.map(({ id }) => id),
          events: events.data.map(({ subject, type }) => `${type} ${subject.id}`),
          inUse: yield* keys.portfoliosInUse
        }
      }).pipe(as(caller), read)
      expect(yield* seen).toEqual({
        portfolios: [inside, outside],
        events: [`portfolio.created ${inside}`, `portfolio.created ${outside}`],
        inUse: [inside, outside]
      })
      yield* portfolios.delete(outside).pipe(as(person))
      expect(yield* seen).toEqual({
        portfolios: [inside],
        events: [`portfolio.created ${inside}`],
        inUse: [inside]
      })
      expect((yield* keys.get(apiKey.id).pipe(as(person))).portfolioIds).toEqual([inside])
      yield* portfolios.delete(inside).pipe(as(person))
      expect(yield* seen).toEqual({ portfolios: [], events: [], inUse: [] })
      for (const { portfolioIds } of (yield* keys.list().pipe(as(person))).data) expect(portfolioIds).toEqual([])
      const rotated = yield* keys.rotate(apiKey.id).pipe(as(person))
      expect(rotated.apiKey.portfolioIds).toEqual([])
      expect((yield* keys.authenticate(rotated.secret)).portfolioIds).toEqual([])
      expect((yield* keys.delete(apiKey.id).pipe(as(person))).portfolioIds).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("have at most the limit that their creator has when they are used", () => {
    const limits = new Map<string, PortfolioLimit>()
    const owners = Layer.succeed(ApiKeyOwners, {
      scopesOf: () => Effect.succeed("all"),
      portfolioIdsOf: (_, userId) => Effect.sync(() => limits.get(userId) ?? null)
    })
    return Effect.gen(function* () {
      const { create, inside, keys, outside, person } = yield* setup
      const bob = new Caller({ ...person, userId: UserId.make("bob") })
      const [open, both] = [yield* create(bob), yield* create(bob, [inside, outside])]
      const other = yield* create(person, [inside])
      limits.set("bob", [outside])
      expect((yield* keys.authenticate(open.secret)).portfolioIds).toEqual([outside])
      expect((yield* keys.authenticate(both.secret)).portfolioIds).toEqual([outside])
      expect((yield* keys.authenticate(other.secret)).portfolioIds).toEqual([inside])
      expect((yield* keys.get(both.apiKey.id).pipe(as(person))).portfolioIds).toEqual([inside, outside])
      // The rotated key belongs to another user, and has no more than the old one had.
      expect((yield* keys.rotate(open.apiKey.id).pipe(as(person))).apiKey.portfolioIds).toEqual([outside])
    }).pipe(Effect.provide(Layer.provide(services, owners)))
  })
})
