/**
 * Rotation and use of keys in an `ApiKeyStore`.
 */
import { ApiKey, ApiKeyNotFound, ApiKeyStore } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"
import { currentApiKey, insertApiKey, type KeyPorts } from "./ApiKeySetup.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { failed, race, refused, repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { changedAgainAt, changedAt, insertOrganisation } from "./Setup.ts"

const first = DateTime.makeUnsafe("2026-05-01T10:00:00.100Z")
const second = DateTime.makeUnsafe("2026-05-01T10:00:00.101Z")
const third = DateTime.makeUnsafe("2026-05-01T10:00:30.000Z")

/** The key with the lifetime of another one. */
const livingLike = ({ createdAt, expiresAt }: ApiKey, apiKey: ApiKey): ApiKey =>
  new ApiKey({
    ...apiKey,
    expiresAt: DateTime.addDuration(apiKey.createdAt, DateTime.distance(createdAt, expiresAt))
  })

export const apiKeyChangeCases: ReadonlyArray<ConformanceCase<KeyPorts>> = [
  {
    name: "rotates: stores the replacement and brings the end of the old key forward",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const old = yield* insertApiKey(organisationId, { expiresAt: changedAgainAt, lastUsedAt: first })
      const bystander = yield* insertApiKey(organisationId)
      const made = anApiKey({ organisationId, name: "O'Hara", createdAt: first, scopes: ["events:read", "sites:read"] })
      const digest = anApiKeyDigest()
      const rotation = { replacement: made, digest, expiresAt: changedAt }
      const replacement = yield* keys.rotate(organisationId, old.apiKey.id, rotation)
      assert.deepEqual(replacement, livingLike(old.apiKey, made), "the answer is the replacement")
      assert.deepEqual(
        yield* currentApiKey(old.apiKey),
        new ApiKey({ ...old.apiKey, expiresAt: changedAt }),
        "the old key"
      )
      assert.deepEqual(yield* currentApiKey(replacement), replacement, "the new key")
      for (const [found, id] of [
        [yield* keys.findByDigest(old.digest), old.apiKey.id],
        [yield* keys.findByDigest(digest), replacement.id]
      ] as const) {
        assert.equal(Option.getOrNull(found)?.apiKey.id, id, "each key is found by its own digest")
      }
      assert.deepEqual(yield* currentApiKey(bystander.apiKey), bystander.apiKey, "others stay as they were")
    })
  },
  {
    name: "never extends the life of a key by rotating it",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const { apiKey } = yield* insertApiKey(organisationId, { expiresAt: changedAt })
      for (const expiresAt of [changedAgainAt, changedAt]) {
        const rotation = { replacement: anApiKey({ organisationId }), digest: anApiKeyDigest(), expiresAt }
        const replacement = yield* keys.rotate(organisationId, apiKey.id, rotation)
        assert.deepEqual(yield* currentApiKey(apiKey), apiKey, "the old key ends when it would have ended anyway")
        assert.deepEqual(yield* currentApiKey(replacement), replacement, "the replacement is stored all the same")
      }
    })
  },
  {
    name: "gives a replacement the original lifetime of the old key, also after earlier rotations",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const { apiKey } = yield* insertApiKey(organisationId, { createdAt: first, expiresAt: changedAgainAt })
      let old = apiKey
      for (const [id, createdAt] of [
        [apiKey.id, second],
        [apiKey.id, third],
        [null, changedAt]
      ] as const) {
        const made = anApiKey({ organisationId, createdAt })
        const rotation = { replacement: made, digest: anApiKeyDigest(), expiresAt: createdAt }
        const replacement = yield* keys.rotate(organisationId, id ?? old.id, rotation)
        const promise = `the replacement of ${createdAt.epochMilliseconds} lives as long as the first key`
        assert.deepEqual(yield* currentApiKey(replacement), livingLike(apiKey, made), promise)
        old = replacement
      }
    })
  },
  {
    name: "stores no replacement for an absent key",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const deleted = yield* insertApiKey(organisationId)
      yield* keys.delete(organisationId, deleted.apiKey.id)
      for (const apiKeyId of [deleted.apiKey.id, anApiKey().id]) {
        const replacement = anApiKey({ organisationId })
        const rotation = { replacement, digest: anApiKeyDigest(), expiresAt: changedAt }
        const refusal = yield* refused(keys.rotate(organisationId, apiKeyId, rotation), ApiKeyNotFound, "a rotation")
        assert.equal(refusal.apiKeyId, apiKeyId, "the refusal names the key")
        assert.deepEqual(yield* keys.findByDigest(rotation.digest), Option.none(), "no replacement by digest")
        assert.equal(yield* currentApiKey(replacement), null, "no replacement by id")
      }
    })
  },
  {
    name: "leaves the old key as it was when its replacement cannot be stored",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const [old, other] = [yield* insertApiKey(organisationId), yield* insertApiKey(organisationId)]
      for (const taken of [
        { replacement: anApiKey({ organisationId }), digest: other.digest },
        { replacement: anApiKey({ organisationId, id: other.apiKey.id }), digest: anApiKeyDigest() }
      ]) {
        const rotate = keys.rotate(organisationId, old.apiKey.id, { ...taken, expiresAt: old.apiKey.createdAt })
        yield* failed(rotate, "a replacement whose id or digest is taken")
        assert.deepEqual(yield* currentApiKey(old.apiKey), old.apiKey, "both happen, or neither")
        assert.deepEqual(yield* currentApiKey(other.apiKey), other.apiKey, "nothing is stored over another key")
      }
    })
  },
  {
    name: "rotates completely or not at all during a concurrent delete",
    check: repeatedly(
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const organisationId = yield* insertOrganisation()
        const { apiKey } = yield* insertApiKey(organisationId)
        const replacement = anApiKey({ organisationId })
        const [rotated, deleted] = yield* race(
          keys.rotate(organisationId, apiKey.id, { replacement, digest: anApiKeyDigest(), expiresAt: changedAt }),
          keys.delete(organisationId, apiKey.id)
        )
        succeeded(deleted, "the key can be deleted")
        assert.equal(yield* currentApiKey(apiKey), null, "a rotation brings no deleted key back")
        const isRotated = succeededOrRefused(rotated, ApiKeyNotFound, "a rotation comes too late")
        assert.equal(
          (yield* currentApiKey(replacement)) !== null,
          isRotated,
          "a replacement, if the rotation succeeded"
        )
      })
    )
  },
  {
    name: "records the latest use of each key and changes nothing else",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const [one, two, unused] = [
        yield* insertApiKey(organisationId, { name: "O'Hara" }),
        yield* insertApiKey(organisationId, { lastUsedAt: second }),
        yield* insertApiKey(organisationId)
      ]
      const expectUses = Effect.fnUntraced(function* (ofOne: DateTime.Utc, ofTwo: DateTime.Utc, promise: string) {
        assert.deepEqual(yield* currentApiKey(one.apiKey), new ApiKey({ ...one.apiKey, lastUsedAt: ofOne }), promise)
        assert.deepEqual(yield* currentApiKey(two.apiKey), new ApiKey({ ...two.apiKey, lastUsedAt: ofTwo }), promise)
        assert.deepEqual(yield* currentApiKey(unused.apiKey), unused.apiKey, "a key that was not used stays as it was")
      })
      const use = ({ apiKey }: typeof one, usedAt: DateTime.Utc) => ({ apiKeyId: apiKey.id, usedAt })
      yield* keys.recordUses(organisationId, [])
      yield* keys.recordUses(organisationId, [use(one, second), use(two, first)])
      yield* expectUses(second, second, "a first use is noted; an earlier one never overwrites a later one")
      yield* keys.recordUses(organisationId, [use(one, third), use(two, third)])
      yield* expectUses(third, third, "a later use is noted")
      yield* keys.recordUses(organisationId, [use(one, first), use(two, second)])
      yield* expectUses(third, third, "the last use never goes backwards")
    })
  },
  {
    name: "ignores uses of deleted keys and of another organisation's",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const [deleted, kept] = [yield* insertApiKey(organisationId), yield* insertApiKey(organisationId)]
      const foreign = yield* insertApiKey(yield* insertOrganisation())
      yield* keys.delete(organisationId, deleted.apiKey.id)
      const used = [deleted.apiKey.id, anApiKey().id, foreign.apiKey.id, kept.apiKey.id]
      yield* keys.recordUses(
        organisationId,
        used.map((apiKeyId) => ({ apiKeyId, usedAt: third }))
      )
      assert.deepEqual(
        yield* currentApiKey(kept.apiKey),
        new ApiKey({ ...kept.apiKey, lastUsedAt: third }),
        "the key there is"
      )
      assert.equal(yield* currentApiKey(deleted.apiKey), null, "a use brings no deleted key back")
      assert.deepEqual(
        yield* currentApiKey(foreign.apiKey),
        foreign.apiKey,
        "another organisation's key stays as it was"
      )
    })
  },
  {
    name: "keeps the latest of concurrent uses",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const { apiKey } = yield* insertApiKey(organisationId)
      const { apiKey: other } = yield* insertApiKey(organisationId)
      const record = (usedAt: DateTime.Utc, index: number) => {
        const uses = [apiKey, other].map(({ id }) => ({ apiKeyId: id, usedAt }))
        return keys.recordUses(organisationId, index % 2 === 0 ? uses : uses.toReversed())
      }
      const times = [first, third, second, first, third, second]
      yield* Effect.forEach(times, record, { concurrency: "unbounded" })
      for (const key of [apiKey, other]) {
        assert.deepEqual((yield* currentApiKey(key))?.lastUsedAt, third, "the latest use, in any order")
      }
    })
  }
]
