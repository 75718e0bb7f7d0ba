/**
 * How many live keys an `ApiKeyStore` takes for an organisation.
 */
import { ApiKeyStore, maximumLiveApiKeys, type OrganisationId, TooManyApiKeys } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"
import { type KeyPorts, keyNow, storedKey } from "./ApiKeySetup.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused, succeededUnless } from "./Expectations.ts"
import { evenLater, later, storedOrganisation } from "./Setup.ts"

const storedKeys = (organisationId: OrganisationId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => storedKey(organisationId, { expiresAt: evenLater }), {
    concurrency: 10
  })

const liveKeys = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { items } = yield* (yield* ApiKeyStore).list(organisationId, { after: null, limit: 1_000 })
  return items.filter(({ expiresAt }) => DateTime.isGreaterThan(expiresAt, later)).length
})

export const apiKeyMaximumCases: ReadonlyArray<ConformanceCase<KeyPorts>> = [
  {
    name: "stores no more live keys than the maximum, in each organisation by itself",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* storedOrganisation()
      const [first] = yield* storedKeys(organisationId, maximumLiveApiKeys)
      const late = anApiKey({ organisationId, createdAt: later })
      const digest = anApiKeyDigest()
      const refusal = yield* refused(keys.insert(organisationId, late, digest), TooManyApiKeys, "one key more")
      assert.equal(refusal.maximum, maximumLiveApiKeys, "the refusal names the maximum")
      assert.equal(yield* keyNow(late), null, "a refused key is not stored")
      yield* storedKey(yield* storedOrganisation(), { createdAt: later })
      if (first !== undefined) yield* keys.delete(organisationId, first.apiKey.id)
      yield* keys.insert(organisationId, late, digest)
      assert.deepEqual(yield* keyNow(late), late, "a deleted key makes room")
    })
  },
  {
    name: "counts no key that has ended when the new one is made",
    check: Effect.gen(function* () {
      const organisationId = yield* storedOrganisation()
      yield* storedKeys(organisationId, maximumLiveApiKeys - 1)
      yield* storedKey(organisationId, { expiresAt: later })
      const createdAt = DateTime.subtract(later, { milliseconds: 1 })
      yield* refused(storedKey(organisationId, { createdAt }), TooManyApiKeys, "a key before another one ends")
      yield* storedKey(organisationId, { createdAt: later, expiresAt: evenLater })
    })
  },
  {
    name: "never stores too many keys at once",
    check: Effect.gen(function* () {
      const organisationId = yield* storedOrganisation()
      yield* storedKeys(organisationId, maximumLiveApiKeys - 3)
      const insert = Effect.result(storedKey(organisationId, { createdAt: later, expiresAt: evenLater }))
      const results = yield* Effect.all(
        Array.from({ length: 8 }, () => insert),
        { concurrency: "unbounded" }
      )
      const stored = results.filter((result) => succeededUnless(result, TooManyApiKeys, "a key is one too many"))
      assert.equal(stored.length, 3, "as many succeed as there is room for")
      assert.equal(yield* liveKeys(organisationId), maximumLiveApiKeys, "live keys")
    })
  },
  {
    name: "rotates at the maximum when the old key ends at once, and not when it lives on",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* storedOrganisation()
      const [old, other] = yield* storedKeys(organisationId, maximumLiveApiKeys)
      assert.ok(old !== undefined && other !== undefined, "there is a first key")
      const rotate = (expiresAt: DateTime.Utc) => {
        const replacement = anApiKey({ organisationId, createdAt: later })
        return keys.rotate(organisationId, old.apiKey.id, { replacement, digest: anApiKeyDigest(), expiresAt })
      }
      yield* refused(rotate(evenLater), TooManyApiKeys, "a rotation with an overlap")
      assert.deepEqual(yield* keyNow(old.apiKey), old.apiKey, "a refused rotation leaves the old key as it was")
      const replacement = yield* rotate(later)
      assert.deepEqual(yield* keyNow(replacement), replacement, "the replacement is stored")
      assert.equal(yield* liveKeys(organisationId), maximumLiveApiKeys, "live keys")
      yield* refused(rotate(later), TooManyApiKeys, "another rotation of a key that has ended")
      assert.deepEqual(yield* keyNow(other.apiKey), other.apiKey, "others stay as they were")
    })
  }
]
