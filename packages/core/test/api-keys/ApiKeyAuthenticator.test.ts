import { describe, expect, it } from "@effect/vitest"
import {
  type AccessChange,
  AccessChanges,
  ApiKey,
  ApiKeyAuthenticator,
  ApiKeyOwners,
  ApiKeySecret,
  ApiKeyStore,
  ApiKeyUsage,
  type ApiScope,
  apiScopes,
  Organisation,
  RepositoryError,
  UserId
} from "@solar-sites/core"
import { anApiKey, anOrganisation, anOrganisationId } from "@solar-sites/testing"
import { DateTime, Deferred, Duration, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"

const organisation = anOrganisation()
const secret = Effect.runSync(ApiKeySecret.generate)
type Found = ReturnType<ApiKeyStore["Service"]["findAcrossOrganisations"]>
const apiKey = anApiKey({ organisationId: organisation.id, expiresAt: DateTime.makeUnsafe(3_600_000) })

/** An authenticator on a store that returns `found` and counts its calls. */
const setUp = Effect.gen(function* () {
  const state = {
    found: Effect.succeed(Option.some({ apiKey, organisation })) as Found,
    owned: Effect.succeed("all") as ReturnType<(typeof ApiKeyOwners)["Service"]["scopesOf"]>,
    lookUps: 0,
    noted: 0
  }
  const owners = { scopesOf: () => Effect.suspend(() => state.owned), portfolioIdsOf: () => Effect.succeed(null) }
  const store = Layer.mock(ApiKeyStore, {
    findAcrossOrganisations: () =>
      Effect.suspend(() => {
        state.lookUps += 1
        return state.found
      })
  })
  const usage = Layer.mock(ApiKeyUsage, { record: () => Effect.sync(() => void state.noted++) })
  const layer = ApiKeyAuthenticator.layer.pipe(
    Layer.provide([store, usage, Layer.succeed(ApiKeyOwners, owners)]),
    Layer.provideMerge(AccessChanges.layerInProcess)
  )
  const context = yield* Layer.build(layer)
  const { authenticate } = yield* Effect.provide(Effect.service(ApiKeyAuthenticator), context)
  const { publish } = yield* Effect.provide(Effect.service(AccessChanges), context)
  return { state, publish, authenticate: authenticate(secret), present: authenticate }
})

const refusal = <E extends { readonly _tag: string }>(effect: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("ApiKeyAuthenticator", () => {
  it.effect("knows the caller behind a key, and notes the use", () =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      const { id: apiKeyId, prefix: keyPrefix } = apiKey
      expect(yield* authenticate).toEqual({ organisationId: organisation.id, userId: null, apiKeyId, keyPrefix })
      expect(state.noted).toBe(1)
    })
  )

  it.effect("refuses what cannot be a key without asking the store", () =>
    Effect.gen(function* () {
      const { present, state } = yield* setUp
      for (const wrong of ["", "nonsense", `${Redacted.value(secret)} `]) {
        expect(yield* refusal(present(Redacted.make(wrong)))).toBe("ApiKeyInvalid")
      }
      expect(state).toMatchObject({ lookUps: 0, noted: 0 })
    })
  )

  it.effect("remembers a key for ten seconds from the look-up, however often it is used", () =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      yield* authenticate
      for (let second = 0; second < 9; second++) {
        yield* TestClock.adjust("1 second")
        yield* authenticate
      }
      expect(state.lookUps).toBe(1)
      yield* TestClock.adjust("1 second")
      yield* authenticate
      expect(state.lookUps).toBe(2)
    })
  )

  it.effect.each([4_000, 1_000])("counts the ten seconds from before a slow look-up, also with the clock at %i", (at) =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      const answer = yield* state.found
      state.found = Effect.delay(Effect.succeed(answer), "4 seconds")
      const slow = yield* Effect.forkChild(authenticate)
      yield* TestClock.adjust("4 seconds")
      yield* Fiber.join(slow)
      yield* TestClock.setTime(at)
      state.found = Effect.succeed(Option.none())
      yield* TestClock.adjust("5999 millis")
      yield* authenticate
      yield* TestClock.adjust("1 millis")
      expect(yield* refusal(authenticate)).toBe("ApiKeyInvalid")
    })
  )

  it.effect("never remembers that a key is unknown", () =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      const known = state.found
      state.found = Effect.succeed(Option.none())
      expect(yield* refusal(authenticate)).toBe("ApiKeyInvalid")
      state.found = known
      yield* authenticate
    })
  )

  it.effect("never remembers a failure of the store", () =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      const known = state.found
      state.found = Effect.fail(new RepositoryError({ operation: "x", retryable: true, cause: new Error("gone") }))
      expect(yield* refusal(authenticate)).toBe("RepositoryError")
      state.found = known
      yield* authenticate
    })
  )

  it.effect("forgets at once when access changes", () =>
    Effect.gen(function* () {
      const { authenticate, publish, state } = yield* setUp
      yield* authenticate
      state.found = Effect.succeed(Option.none())
      yield* authenticate
      yield* publish({ organisationId: organisation.id, apiKeyId: apiKey.id })
      expect(yield* refusal(authenticate)).toBe("ApiKeyInvalid")
    })
  )

  const changes: ReadonlyArray<AccessChange> = ["everything", { organisationId: organisation.id, apiKeyId: apiKey.id }]
  it.effect.each(changes)("does not remember a look-up that was under way when access changed (%#)", (change) =>
    Effect.gen(function* () {
      const { authenticate, publish, state } = yield* setUp
      const answer = yield* state.found
      const reading = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      state.found = Deferred.succeed(reading, undefined).pipe(Effect.andThen(Deferred.await(goOn)), Effect.as(answer))
      const before = yield* Effect.forkChild(authenticate)
      yield* Deferred.await(reading)
      // This fiber resumes inside the look-up. The cache holds the look-up once this fiber yields.
      yield* Effect.yieldNow
      state.found = Effect.succeed(Option.none())
      yield* publish(change)
      const after = yield* Effect.forkChild(authenticate, { startImmediately: true })
      expect(state.lookUps, "before the old look-up ends").toBe(2)
      expect(yield* refusal(Fiber.join(after)), "asked after the change").toBe("ApiKeyInvalid")
      yield* Deferred.succeed(goOn, undefined)
      expect(yield* refusal(Fiber.join(before)), "asked before the change").toBe("ApiKeyInvalid")
      expect(yield* refusal(authenticate), "asked after the old look-up ended").toBe("ApiKeyInvalid")
    })
  )

  it.effect("gives the scopes of the key that its owner has, too, and forgets them when access changes", () =>
    Effect.gen(function* () {
      const { authenticate, publish, state } = yield* setUp
      const found = (scopes: ReadonlyArray<ApiScope>, createdBy: UserId | null = UserId.make("ada")) =>
        Effect.succeed(Option.some({ apiKey: new ApiKey({ ...apiKey, createdBy, scopes }), organisation }))
      const scopesNow = Effect.gen(function* () {
        yield* publish({ organisationId: organisation.id })
        return (yield* authenticate).scopes
      })
      state.found = found(apiScopes)
      expect(yield* scopesNow).toBeUndefined()
      state.owned = Effect.succeed(["sites:read", "documents:read"])
      expect((yield* authenticate).scopes, "from the cache").toBeUndefined()
      expect(yield* scopesNow).toEqual(["sites:read", "documents:read"])
      state.found = found(["sites:write", "documents:read"])
      expect(yield* scopesNow).toEqual(["documents:read"])
      state.owned = Effect.succeed([])
      expect(yield* scopesNow).toEqual([])
      state.found = found(["sites:write"], null)
      expect(yield* scopesNow, "without an owner").toEqual(["sites:write"])
    })
  )

  it.effect("refuses keys of a deleted owner like unknown ones, and remembers neither that nor a failure", () =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      const owned = new ApiKey({ ...apiKey, createdBy: UserId.make("ada") })
      state.found = Effect.succeed(Option.some({ apiKey: owned, organisation }))
      state.owned = Effect.succeed("deleted")
      expect(yield* refusal(authenticate)).toBe("ApiKeyInvalid")
      state.owned = Effect.fail(new RepositoryError({ operation: "x", retryable: true, cause: new Error("gone") }))
      expect(yield* refusal(authenticate)).toBe("RepositoryError")
      state.owned = Effect.succeed("all")
      expect((yield* authenticate).userId).toBe("ada")
    })
  )

  it.effect("goes on knowing the keys of all other organisations", () =>
    Effect.gen(function* () {
      const { authenticate, publish, state } = yield* setUp
      yield* authenticate
      yield* publish({ organisationId: anOrganisation().id })
      yield* authenticate
      expect(state.lookUps).toBe(1)
      yield* publish("everything")
      yield* authenticate
      expect(state.lookUps).toBe(2)
    })
  )

  it.effect("remembers a bounded number of changes, and forgets all keys rather than one change", () =>
    Effect.gen(function* () {
      const { authenticate, publish, state } = yield* setUp
      yield* authenticate
      yield* publish({ organisationId: organisation.id })
      for (let count = 0; count <= 10_000; count++) yield* publish({ organisationId: anOrganisationId() })
      state.found = Effect.succeed(Option.none())
      expect(yield* refusal(authenticate)).toBe("ApiKeyInvalid")
    })
  )

  it.effect("refuses a remembered key from the second it expires", () =>
    Effect.gen(function* () {
      const { authenticate, state } = yield* setUp
      yield* TestClock.setTime(3_599_999)
      yield* authenticate
      yield* TestClock.adjust("1 millis")
      expect(yield* refusal(authenticate)).toBe("ApiKeyExpired")
      expect(state.lookUps).toBe(1)
    })
  )

  it.effect("judges the key before its organisation, and the organisation by its being there and active", () =>
    Effect.gen(function* () {
      const { authenticate, publish, state } = yield* setUp
      const inactive = new Organisation({ ...organisation, status: "inactive" })
      state.found = Effect.succeed(Option.some({ apiKey, organisation: inactive }))
      expect(yield* refusal(authenticate)).toBe("OrganisationInactive")
      state.found = Effect.succeed(Option.some({ apiKey, organisation: null }))
      yield* publish("everything")
      expect(yield* refusal(authenticate)).toBe("OrganisationMissing")
      yield* TestClock.adjust(Duration.hours(1))
      expect(yield* refusal(authenticate)).toBe("ApiKeyExpired")
      expect(state.noted).toBe(0)
    })
  )
})
