/**
 * Maximum of live keys per organisation.
 */
import { type ApiKey, maximumLiveApiKeys, type OrganisationId, TooManyApiKeys } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { currentApiKey, insertApiKey } from "../../src/conformance/ApiKeySetup.ts"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { apiKeyMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, insertOrganisation } from "../../src/conformance/Setup.ts"
import { anApiKey, anApiKeyDigest } from "../../src/fixtures.ts"
import type { AccessPorts } from "./AccessPorts.ts"

const storedKeys = (organisationId: OrganisationId, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => insertApiKey(organisationId, { expiresAt: changedAgainAt }))

const liveKeys = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { items } = yield* (yield* apiKeyMethods).list(organisationId, { after: null, limit: 1_000 })
  return items.filter(({ expiresAt }) => DateTime.isGreaterThan(expiresAt, changedAt)).length
})

/** Inserts keys at the same time where there is room for three. */
const insertsAtOnce = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const insert = Effect.result(insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt }))
  const results = yield* Effect.all(
    Array.from({ length: 8 }, () => insert),
    { concurrency: "unbounded" }
  )
  const stored = results.filter((result) => succeededOrRefused(result, TooManyApiKeys, "a key is one too many"))
  assert.equal(stored.length, 3, "as many concurrent inserts succeed as there is room for")
  assert.equal(yield* liveKeys(organisationId), maximumLiveApiKeys, "live keys")
})

/** Inserts a key where there is no room, and makes some. */
const inserts = Effect.fnUntraced(function* (organisationId: OrganisationId, stored: ApiKey) {
  const keys = yield* apiKeyMethods
  const late = anApiKey({ organisationId, createdAt: changedAt })
  const digest = anApiKeyDigest()
  const refusal = yield* refused(keys.insert(organisationId, late, digest), TooManyApiKeys, "one key more")
  assert.equal(refusal.maximum, maximumLiveApiKeys, "the refusal names the maximum")
  assert.equal(yield* currentApiKey(late), null, "a refused key is not stored")
  yield* insertApiKey(yield* insertOrganisation(), { createdAt: changedAt })
  yield* keys.delete(organisationId, stored.id)
  yield* keys.insert(organisationId, late, digest)
  assert.deepEqual(yield* currentApiKey(late), late, "a deleted key makes room")
})

/** Inserts keys beside one that has expired when the last of them is created. */
const insertsAfterEnd = Effect.fnUntraced(function* (organisationId: OrganisationId, stored: ApiKey) {
  yield* (yield* apiKeyMethods).delete(organisationId, stored.id)
  yield* insertApiKey(organisationId, { expiresAt: changedAt })
  const createdAt = DateTime.subtract(changedAt, { milliseconds: 1 })
  yield* refused(insertApiKey(organisationId, { createdAt }), TooManyApiKeys, "a key before another one ends")
  yield* insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt })
})

/** Rotates a key at the maximum: it lives on, and ends at once. */
const rotates = Effect.fnUntraced(function* (organisationId: OrganisationId, old: ApiKey, other: ApiKey) {
  const keys = yield* apiKeyMethods
  const rotate = (expiresAt: DateTime.Utc) => {
    const replacement = anApiKey({ organisationId, createdAt: changedAt })
    return keys.rotate(organisationId, old.id, { replacement, digest: anApiKeyDigest(), expiresAt })
  }
  yield* refused(rotate(changedAgainAt), TooManyApiKeys, "a rotation with an overlap")
  assert.deepEqual(yield* currentApiKey(old), old, "a refused rotation leaves the old key as it was")
  const replacement = yield* rotate(changedAt)
  assert.deepEqual(yield* currentApiKey(replacement), replacement, "the replacement is stored")
  assert.equal(yield* liveKeys(organisationId), maximumLiveApiKeys, "live keys")
  yield* refused(rotate(changedAt), TooManyApiKeys, "another rotation of a key that has ended")
  assert.deepEqual(yield* currentApiKey(other), other, "others stay as they were")
})

export const apiKeyMaximumCases: ReadonlyArray<ConformanceCase<AccessPorts>> = [
  {
    // One case, since storing the maximum is most of the work.
    name: "keeps the maximum of live keys when some are inserted, also at the same time, have expired or are rotated",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const [first, second, third, fourth] = yield* storedKeys(organisationId, maximumLiveApiKeys - 3)
      assert.ok(first && second && third && fourth, "there are keys")
      yield* insertsAtOnce(organisationId)
      yield* inserts(organisationId, first.apiKey)
      yield* insertsAfterEnd(organisationId, second.apiKey)
      yield* rotates(organisationId, third.apiKey, fourth.apiKey)
    })
  }
]
