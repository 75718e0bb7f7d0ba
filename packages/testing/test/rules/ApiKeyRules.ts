/**
 * Commands about API keys: concurrent ones, and the events of rotations and refusals.
 */
import { type ApiKey, ApiKeyNotFound, type Event, maximumLiveApiKeys, type OrganisationId } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { currentApiKey, insertApiKey } from "../../src/conformance/ApiKeySetup.ts"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { asCallerOf, type ExpectedEvent, expectEvents, expectNoEvent } from "../../src/conformance/EventSetup.ts"
import { failed, race, repeatedly, succeeded, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { apiKeyMethods } from "../../src/conformance/Methods.ts"
import { changedAgainAt, changedAt, insertOrganisation } from "../../src/conformance/Setup.ts"
import { anApiKey, anApiKeyDigest, anOrganisationId } from "../../src/fixtures.ts"
import type { AccessPorts } from "./AccessPorts.ts"

const about = (
  type: "rotated",
  { id, name }: Pick<ApiKey, "id" | "name">,
  changes: Event["changes"]
): ExpectedEvent => ({ type: `api_key.${type}`, siteId: null, subject: { id, name }, changes })

const aReplacement = (organisationId: OrganisationId) => ({
  replacement: anApiKey({ organisationId, createdAt: changedAt }),
  digest: anApiKeyDigest()
})

export const apiKeyCases: ReadonlyArray<ConformanceCase<AccessPorts>> = [
  {
    name: "lets one of two concurrent deletes succeed",
    check: repeatedly(
      Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const { apiKey } = yield* insertApiKey(yield* insertOrganisation())
        const remove = keys.delete(apiKey.organisationId, apiKey.id)
        const results = yield* race(remove, remove)
        const wins = results.map((result) => succeededOrRefused(result, ApiKeyNotFound, "the other one finds nothing"))
        assert.deepEqual(wins.toSorted(), [false, true], "one of them deleted it")
      })
    )
  },
  {
    name: "leaves the old key as it was when its replacement cannot be stored",
    check: Effect.gen(function* () {
      const keys = yield* apiKeyMethods
      const organisationId = yield* insertOrganisation()
      const [old, other] = [yield* insertApiKey(organisationId), yield* insertApiKey(organisationId)]
      for (const taken of [
        { replacement: anApiKey({ organisationId }), digest: other.digest },
        { replacement: anApiKey({ organisationId, id: other.apiKey.id }), digest: anApiKeyDigest() }
      ]) {
        const rotate = keys.rotate(organisationId, old.apiKey.id, { ...taken, expiresAt: old.apiKey.createdAt })
        yield* failed(rotate, "a replacement with a taken id or digest")
        assert.deepEqual(yield* currentApiKey(old.apiKey), old.apiKey, "both happen, or neither")
        assert.deepEqual(yield* currentApiKey(other.apiKey), other.apiKey, "nothing is stored over another key")
      }
    })
  },
  {
    name: "rotates completely or not at all during a concurrent delete",
    check: repeatedly(
      Effect.gen(function* () {
        const keys = yield* apiKeyMethods
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
    name: "writes one event for a rotation, with the new end of the old key and the id of the new one",
    check: Effect.gen(function* () {
      const keys = yield* apiKeyMethods
      const organisationId = yield* insertOrganisation()
      const { apiKey } = yield* insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt })
      const end = DateTime.formatIso(changedAgainAt)
      const [first, second] = [aReplacement(organisationId), aReplacement(organisationId)]
      const caller = asCallerOf(organisationId)(
        keys.rotate(organisationId, apiKey.id, { ...first, expiresAt: changedAt })
      )
      const replacedBy = { from: null, to: first.replacement.id }
      const changes = { expiresAt: { from: end, to: DateTime.formatIso(changedAt) }, replacedBy }
      yield* expectEvents(organisationId, caller.ran, [{ ...about("rotated", apiKey, changes), ...caller.origin }])
      const again = keys.rotate(organisationId, apiKey.id, { ...second, expiresAt: changedAgainAt })
      yield* expectEvents(organisationId, again, [
        about("rotated", apiKey, { replacedBy: { from: null, to: second.replacement.id } })
      ])
    })
  },
  {
    name: "writes no event for a change of a key that is refused, nor for its uses",
    check: Effect.gen(function* () {
      const keys = yield* apiKeyMethods
      const organisationId = yield* insertOrganisation()
      const { apiKey } = yield* insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt })
      const stranger = (yield* insertApiKey(yield* insertOrganisation())).apiKey
      const rotation = { ...aReplacement(organisationId), expiresAt: changedAt }
      yield* expectNoEvent(
        organisationId,
        keys.recordUses(organisationId, [{ apiKeyId: apiKey.id, usedAt: changedAt }])
      )
      yield* expectNoEvent(organisationId, keys.delete(organisationId, stranger.id))
      yield* expectNoEvent(organisationId, keys.rotate(organisationId, stranger.id, rotation))
      yield* expectNoEvent(stranger.organisationId, keys.delete(organisationId, stranger.id))
      const nowhere = anOrganisationId()
      yield* expectNoEvent(nowhere, keys.insert(nowhere, anApiKey({ organisationId: nowhere }), anApiKeyDigest()))
      yield* Effect.forEach(Array.from({ length: maximumLiveApiKeys - 1 }), () =>
        insertApiKey(organisationId, { createdAt: changedAt, expiresAt: changedAgainAt })
      )
      const oneMore = anApiKey({ organisationId, createdAt: changedAt, expiresAt: changedAgainAt })
      yield* expectNoEvent(organisationId, keys.insert(organisationId, oneMore, anApiKeyDigest()))
      const overlapping = { ...rotation, expiresAt: changedAgainAt }
      yield* expectNoEvent(organisationId, keys.rotate(organisationId, apiKey.id, overlapping))
    })
  }
]
