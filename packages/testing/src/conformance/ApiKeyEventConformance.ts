/**
 * Events of the changes of API keys: exactly one per change, none of refusals.
 */
import {
  type ApiKey,
  ApiKeyStore,
  apiScopes,
  type Event,
  maximumLiveApiKeys,
  type OrganisationId
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anApiKey, anApiKeyDigest, anOrganisationId } from "../fixtures.ts"
import { insertApiKey } from "./ApiKeySetup.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  asCallerOf,
  type EventPorts,
  type ExpectedEvent,
  expectEvents,
  expectNoEvent,
  storedEvents
} from "./EventSetup.ts"
import { changedAgainAt, changedAt, hostileTexts, insertOrganisation } from "./Setup.ts"

export type ApiKeyEventPorts = EventPorts | ApiKeyStore

const about = (
  type: "created" | "rotated" | "deleted",
  { id, name }: Pick<ApiKey, "id" | "name">,
  changes: Event["changes"]
): ExpectedEvent => ({ type: `api_key.${type}`, siteId: null, subject: { id, name }, changes })

const aReplacement = (organisationId: OrganisationId) => ({
  replacement: anApiKey({ organisationId, createdAt: changedAt }),
  digest: anApiKeyDigest()
})

export const apiKeyEventCases: ReadonlyArray<ConformanceCase<ApiKeyEventPorts>> = [
  {
    name: "writes the events of a key that is created and deleted, with its name, its end and its scopes",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      for (const [index, name] of hostileTexts.entries()) {
        const expiresAt = DateTime.add(changedAt, { milliseconds: index })
        const scopes = index % 2 === 0 ? apiScopes : (["sites:read", "events:read"] as const)
        const key = anApiKey({ organisationId, name, expiresAt, scopes })
        const end = DateTime.formatIso(expiresAt)
        const insert = asCallerOf(organisationId)(keys.insert(organisationId, key, anApiKeyDigest()))
        const created = {
          name: { from: null, to: name },
          expiresAt: { from: null, to: end },
          scopes: { from: null, to: scopes }
        }
        yield* expectEvents(organisationId, insert.ran, [{ ...about("created", key, created), ...insert.origin }])
        const remove = asCallerOf(organisationId)(keys.delete(organisationId, key.id))
        const deleted = {
          name: { from: name, to: null },
          expiresAt: { from: end, to: null },
          scopes: { from: scopes, to: null }
        }
        yield* expectEvents(organisationId, remove.ran, [{ ...about("deleted", key, deleted), ...remove.origin }])
      }
    })
  },
  {
    name: "writes one event for a rotation, with the new end of the old key and the id of the new one",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
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
      const keys = yield* ApiKeyStore
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
  },
  {
    name: "writes one event per key of concurrent inserts",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const inserted = yield* Effect.forEach(Array.from({ length: 8 }), () => insertApiKey(organisationId), {
        concurrency: "unbounded"
      })
      const events = yield* storedEvents(organisationId)
      assert.deepEqual(
        events.map(({ subject, type }) => `${type} ${subject.id}`).sort(),
        inserted.map(({ apiKey }) => `api_key.created ${apiKey.id}`).sort()
      )
    })
  }
]
