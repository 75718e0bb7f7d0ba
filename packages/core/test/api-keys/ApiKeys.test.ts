import { describe, expect, it } from "@effect/vitest"
import { ApiKeys, apiScopes, Caller, maximumLiveApiKeys, UserId } from "@solar-sites/core"
import { DateTime, Duration, Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { aPerson, as, outcome, services } from "../services.ts"

const days = (count: number) => Duration.toMillis(Duration.days(count))

describe("ApiKeys", () => {
  it.effect("creates a key that lives 365 days by default, and shows its prefix", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      const { apiKey, secret } = yield* keys.create({ name: "Reporting" }).pipe(as(person))
      expect(apiKey).toMatchObject({ name: "Reporting", createdBy: person.userId, lastUsedAt: null })
      expect(apiKey.prefix).toBe(Redacted.value(secret).slice(0, 14))
      expect(DateTime.toEpochMillis(apiKey.expiresAt)).toBe(DateTime.toEpochMillis(apiKey.createdAt) + days(365))
      const short = yield* keys.create({ name: "Short", expiresIn: Duration.days(90) }).pipe(as(person))
      expect(DateTime.toEpochMillis(short.apiKey.expiresAt)).toBe(days(90))
      expect((yield* keys.list().pipe(as(person))).data).toEqual([apiKey, short.apiKey])
    }).pipe(Effect.provide(services))
  )

  it.effect("creates keys with all scopes by default, and keeps scopes in a rotation", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      const open = yield* keys.create({ name: "Open" }).pipe(as(person))
      expect(open.apiKey.scopes).toEqual(apiScopes)
      expect((yield* keys.authenticate(open.secret)).scopes).toBeUndefined()
      const scopes = ["documents:read", "sites:read", "documents:read"] as const
      const { apiKey } = yield* keys.create({ name: "Reporting", scopes }).pipe(as(person))
      expect(apiKey.scopes).toEqual(["documents:read", "sites:read"])
      const rotated = yield* keys.rotate(apiKey.id).pipe(as(person))
      expect(rotated.apiKey.scopes).toEqual(apiKey.scopes)
      expect((yield* keys.authenticate(rotated.secret)).scopes).toEqual(apiKey.scopes)
    }).pipe(Effect.provide(services))
  )

  it.effect("lets no key manage keys", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      const { apiKey } = yield* keys.create({ name: "Reporting" }).pipe(as(person))
      const machine = new Caller({ ...person, apiKeyId: apiKey.id })
      const attempts = [
        outcome(keys.create({ name: "Another" })),
        outcome(keys.get(apiKey.id)),
        outcome(keys.list()),
        outcome(keys.rotate(apiKey.id)),
        outcome(keys.delete(apiKey.id))
      ]
      for (const attempt of attempts) expect(yield* attempt.pipe(as(machine))).toBe("KeysNotManageable")
      expect((yield* keys.list().pipe(as(person))).data).toEqual([apiKey])
      expect(yield* keys.inUse.pipe(as(machine))).toEqual(Option.some(apiKey))
      expect(yield* keys.inUse.pipe(as(person))).toEqual(Option.none())
      expect(Option.map(yield* keys.accessInUse.pipe(as(machine)), (access) => access.apiKey)).toEqual(
        Option.some(apiKey)
      )
      expect(yield* keys.accessInUse.pipe(as(person))).toEqual(Option.none())
    }).pipe(Effect.provide(services))
  )

  it.effect("hides keys from other organisations", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const [owner, stranger] = [yield* aPerson, yield* aPerson]
      const { apiKey, secret } = yield* keys.create({ name: "Reporting" }).pipe(as(owner))
      for (const attempt of [
        outcome(keys.get(apiKey.id)),
        outcome(keys.delete(apiKey.id)),
        outcome(keys.rotate(apiKey.id))
      ]) {
        expect(yield* attempt.pipe(as(stranger))).toBe("ApiKeyNotFound")
      }
      expect((yield* keys.list().pipe(as(stranger))).data).toEqual([])
      expect((yield* keys.authenticate(secret)).organisationId).toBe(owner.organisationId)
    }).pipe(Effect.provide(services))
  )

  it.effect("rotates: the new key works at once, the old one until the overlap is over", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const old = yield* keys.create({ name: "Reporting" }).pipe(as(yield* aPerson))
      const { createdBy, organisationId } = old.apiKey
      const operator = new Caller({ organisationId, userId: null, apiKeyId: null })
      yield* keys.authenticate(old.secret)
      const fresh = yield* keys.rotate(old.apiKey.id, { overlap: Duration.hours(1) }).pipe(as(operator))
      // It ends with the user, as the old one does.
      expect(fresh.apiKey).toMatchObject({ name: "Reporting", createdBy })
      const bob = new Caller({ organisationId, userId: UserId.make("bob"), apiKeyId: null })
      const another = yield* keys.rotate(fresh.apiKey.id, { overlap: Duration.hours(1) }).pipe(as(bob))
      expect(another.apiKey.createdBy).toBe("bob")
      yield* TestClock.adjust(Duration.millis(3_599_999))
      yield* keys.authenticate(old.secret)
      yield* TestClock.adjust(Duration.millis(1))
      expect(yield* Effect.flip(keys.authenticate(old.secret))).toMatchObject({ _tag: "ApiKeyExpired" })
      expect(yield* keys.authenticate(another.secret)).toMatchObject({ apiKeyId: another.apiKey.id })
    }).pipe(Effect.provide(services))
  )

  it.effect("ends the old key at once when rotated without overlap, and never prolongs one", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      const old = yield* keys.create({ name: "A" }).pipe(as(person))
      yield* keys.authenticate(old.secret)
      yield* keys.rotate(old.apiKey.id, { overlap: Duration.zero }).pipe(as(person))
      expect(yield* Effect.flip(keys.authenticate(old.secret))).toMatchObject({ _tag: "ApiKeyExpired" })
      const short = yield* keys.create({ name: "B", expiresIn: Duration.minutes(1) }).pipe(as(person))
      yield* keys.rotate(short.apiKey.id, { overlap: Duration.days(1) }).pipe(as(person))
      expect((yield* keys.get(short.apiKey.id).pipe(as(person))).expiresAt).toEqual(short.apiKey.expiresAt)
    }).pipe(Effect.provide(services))
  )

  it.effect("answers what was deleted, and nothing the second time", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      const { apiKey } = yield* keys.create({ name: "A" }).pipe(as(person))
      expect(yield* keys.delete(apiKey.id).pipe(as(person))).toEqual(apiKey)
      expect(yield* keys.delete(apiKey.id).pipe(Effect.flip, as(person))).toMatchObject({ _tag: "ApiKeyNotFound" })
    }).pipe(Effect.provide(services))
  )

  it.effect("replaces a key by one that lives as long, however often the old one is rotated", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      for (const life of [30, 365]) {
        const { apiKey } = yield* keys.create({ name: "A", expiresIn: Duration.days(life) }).pipe(as(person))
        for (const overlap of [Duration.hours(1), Duration.zero]) {
          yield* TestClock.adjust(Duration.hours(1))
          const fresh = yield* keys.rotate(apiKey.id, { overlap }).pipe(as(person))
          const lived = DateTime.distance(fresh.apiKey.createdAt, fresh.apiKey.expiresAt)
          expect(Duration.toDays(lived)).toBe(life)
          expect(yield* keys.get(fresh.apiKey.id).pipe(as(person))).toEqual(fresh.apiKey)
        }
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("makes no more live keys than the maximum", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const person = yield* aPerson
      const create = keys.create({ name: "A" }).pipe(as(person))
      const made = yield* Effect.forEach(Array.from({ length: maximumLiveApiKeys }), () => create)
      const refusal = yield* Effect.flip(create)
      expect(refusal).toMatchObject({ _tag: "TooManyApiKeys", code: "too_many_keys", maximum: 100 })
      expect(refusal.message).toContain("100")
      const [first, second] = made.map(({ apiKey }) => apiKey.id)
      if (first === undefined || second === undefined) return expect.unreachable("nothing was made")
      const rotate = (overlap: Duration.Duration) => keys.rotate(first, { overlap }).pipe(as(person))
      expect(yield* Effect.flip(rotate(Duration.hours(1)))).toMatchObject({ _tag: "TooManyApiKeys" })
      yield* rotate(Duration.zero)
      yield* keys.delete(second).pipe(as(person))
      yield* create
    }).pipe(Effect.provide(services))
  )
})
