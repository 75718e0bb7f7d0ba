/**
 * Maximum of live keys per organisation in an `ApiKeyStore`.
 */
import { ApiKeyStore, maximumLiveApiKeys, type OrganisationId, TooManyApiKeys } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"
import { currentApiKey, insertApiKey, type KeyPorts } from "./ApiKeySetup.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused, succeededOrRefused } from "./Expectations.ts"
import { changedAgainAt, changedAt, insertOrganisation } from "./Setup.ts"

const storedKeys = (organisationId: OrganisationId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => insertApiKey(organisationId, { expiresAt: changedAgainAt }))

const liveKeys = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { items } = yield* (yield* ApiKeyStore).list(organisationId, { after: null, limit: 1_000 })
  return items.filter(({ expiresAt }) => DateTime.isGreaterThan(expiresAt, changedAt)).length
})

export const apiKeyMaximumCases: ReadonlyArray<ConformanceCase<KeyPorts>> = [
  {
    name: "stores no more live keys than the maximum, in each organisation by itself",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const [first] = yield* storedKeys(organisationId, maximumLiveApiKeys)
      const late = anApiKey({ organisationId, createdAt: changedAt })
      const digest = anApiKeyDigest()
      const refusal = yield* refused(keys.insert(organisationId, late, digest), TooManyApiKeys, "one key more")
      assert.equal(refusal.maximum, maximumLiveApiKeys, "the refusal names the maximum")
      assert.equal(yield* currentApiKey(late), null, "a refused key is not stored")
      yield* insertApiKey(yield* insertOrganisation(), { createdAt: changedAt })
      if (first !== undefined) yield* keys.delete(organisationId, first.apiKey.id)
      yield* keys.insert(organisationId, late, digest)
      assert.deepEqual(yield* currentApiKey(late), late, "a deleted key makes room")
    })
  },
  {
    name: "does not count keys that have expired when the new one is created",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      yield* storedKeys(organisationId, maximumLiveApiKeys - 1)
      yield* insertApiKey(organisationId, { expiresAt: changedAt })
      const createdAt = DateTime.subtract(changedAt, { milliseconds: 1 })
      yield* refused(insertApiKey(organisationId, { createdAt }), TooManyApiKeys, "a key before another one ends")
      yield* insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt })
    })
  },
  {
    name: "never exceeds the maximum of keys by concurrent inserts",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      yield* storedKeys(organisationId, maximumLiveApiKeys - 3)
      const insert = Effect.result(insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt }))
      const results = yield* Effect.all(
        Array.from({ length: 8 }, () => insert),
        { concurrency: "unbounded" }
      )
      const stored = results.filter((result) => succeededOrRefused(result, TooManyApiKeys, "a key is one too many"))
      assert.equal(stored.length, 3, "as many succeed as there is room for")
      assert.equal(yield* liveKeys(organisationId), maximumLiveApiKeys, "live keys")
    })
  },
  {
    name: "rotates at the maximum when the old key ends at once, and not when it lives on",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const [old, other] = yield* storedKeys(organisationId, maximumLiveApiKeys)
      assert.ok(old !== undefined && other !== undefined, "there is a first key")
      const rotate = (expiresAt: DateTime.Utc) => {
        const replacement = anApiKey({ organisationId, createdAt: changedAt })
        return keys.rotate(organisationId, old.apiKey.id, { replacement, digest: anApiKeyDigest(), expiresAt })
      }
      yield* refused(rotate(changedAgainAt), TooManyApiKeys, "a rotation with an overlap")
      assert.deepEqual(yield* currentApiKey(old.apiKey), old.apiKey, "a refused rotation leaves the old key as it was")
      const replacement = yield* rotate(changedAt)
      assert.deepEqual(yield* currentApiKey(replacement), replacement, "the replacement is stored")
      assert.equal(yield* liveKeys(organisationId), maximumLiveApiKeys, "live keys")
      yield* refused(rotate(changedAt), TooManyApiKeys, "another rotation of a key that has ended")
      assert.deepEqual(yield* currentApiKey(other.apiKey), other.apiKey, "others stay as they were")
    })
  }
]
