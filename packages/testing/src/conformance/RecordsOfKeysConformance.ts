/**
 * Removals, bounds and generated values in a `Records`, with API keys as the records.
 */
import {
  type ApiKeyId,
  ApiKeyRecord,
  apiKeyKind,
  maximumLiveApiKeys,
  type OrganisationId,
  Records,
  Stale,
  type Write
} from "@solar-sites/core"
import { DateTime, Duration, Effect } from "effect"
import { anApiKey, anApiKeyDigest } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { failed } from "./Expectations.ts"
import type { RecordsPorts } from "./RecordsSetup.ts"
import { changedAt, insertOrganisation, originIn } from "./Setup.ts"

const aKey = (organisationId: OrganisationId, overrides: Partial<ApiKeyRecord> = {}): ApiKeyRecord => {
  const expiresAt = DateTime.addDuration(changedAt, Duration.days(1))
  const apiKey = anApiKey({ organisationId, createdAt: changedAt, expiresAt })
  return new ApiKeyRecord({ ...apiKey, digest: anApiKeyDigest(), issuedUntil: expiresAt, ...overrides })
}

/** Commits writes with an event for each. */
const commit = Effect.fnUntraced(function* (organisationId: OrganisationId, writes: ReadonlyArray<Write>) {
  const origin = yield* originIn(organisationId)
  const events = writes.map(({ id }) => ({
    type: "api_key.created" as const,
    subjectId: id,
    subjectName: "Key",
    siteId: null,
    changes: {}
  }))
  return yield* (yield* Records).commit("Records", organisationId, { writes, reads: [], events, origin, at: changedAt })
})

const creation = (after: ApiKeyRecord): Write => ({ kind: apiKeyKind, id: after.id, before: null, after })

const load = Effect.fnUntraced(function* (organisationId: OrganisationId, id: ApiKeyId) {
  const finds = [{ kind: apiKeyKind, by: "id", values: [id] }]
  const bounds = { kind: apiKeyKind, at: changedAt }
  return yield* (yield* Records).load("Records", organisationId, finds, { bounds })
})

export const recordsOfKeysCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "fails, and stores nothing, when a generated value is taken in any organisation",
    check: Effect.gen(function* () {
      const [organisationId, otherId] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const stored = aKey(organisationId)
      assert.equal((yield* commit(organisationId, [creation(stored)]))._tag, "Committed", "the first")
      for (const owner of [organisationId, otherId]) {
        const free = aKey(owner)
        const taken = creation(aKey(owner, { digest: stored.digest }))
        yield* failed(commit(owner, [creation(free), taken]), "a taken digest")
        assert.equal((yield* load(owner, free.id)).byId(apiKeyKind, free.id), null, "a record beside it")
      }
    })
  },
  {
    name: "removes a record of the expected revision alone, with its event",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const key = aKey(organisationId)
      yield* commit(organisationId, [creation(key)])
      const first = (yield* load(organisationId, key.id)).byId(apiKeyKind, key.id)
      assert.ok(first !== null, "a stored key")
      const used = new ApiKeyRecord({ ...key, lastUsedAt: changedAt })
      yield* commit(organisationId, [{ kind: apiKeyKind, id: key.id, before: first, after: used }])
      const removal = { kind: apiKeyKind, id: key.id, before: first, after: null }
      assert.equal((yield* commit(organisationId, [removal]))._tag, "Stale", "a removal of an earlier revision")
      const second = (yield* load(organisationId, key.id)).byId(apiKeyKind, key.id)
      assert.deepEqual(second?.record, used, "the record")
      assert.ok(second !== null, "a stored key")
      const outcome = yield* commit(organisationId, [{ ...removal, before: second }])
      assert.deepEqual(outcome, { _tag: "Committed", revisions: [null] }, "the outcome")
      assert.equal((yield* load(organisationId, key.id)).byId(apiKeyKind, key.id), null, "the record")
      assert.equal((yield* storedEvents(organisationId)).length, 3, "the events")
    })
  },
  {
    name: "names a bound that is full, also among concurrent commits, and counts what a commit makes room for",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const [bound] = apiKeyKind.bounds
      const first = Array.from({ length: maximumLiveApiKeys - 2 }, () => aKey(organisationId))
      yield* commit(organisationId, first.map(creation))
      const ended = aKey(organisationId, { expiresAt: changedAt })
      assert.equal((yield* commit(organisationId, [creation(ended)]))._tag, "Committed", "a key that has ended")
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 6 }, () => aKey(organisationId)),
        (key) => commit(organisationId, [creation(key)]),
        { concurrency: "unbounded" }
      )
      const full = outcomes.flatMap((outcome) => (outcome instanceof Stale ? [outcome.full] : []))
      assert.deepEqual(
        full,
        Array.from({ length: 4 }, () => bound?.name),
        "as many as there is room for are stored"
      )
      const [key] = first
      assert.ok(key !== undefined, "a key")
      const found = yield* load(organisationId, key.id)
      assert.ok(found.isFull(`${bound?.name}`), "a load says so, too")
      const before = found.byId(apiKeyKind, key.id)
      assert.ok(before !== null, "a stored key")
      const ending = new ApiKeyRecord({ ...key, expiresAt: changedAt })
      const outcome = yield* commit(organisationId, [
        { kind: apiKeyKind, id: key.id, before, after: ending },
        creation(aKey(organisationId))
      ])
      assert.equal(outcome._tag, "Committed", "a key for one that ends")
    })
  }
]
