/**
 * Purge of an `IdempotencyStore`.
 */

import { IdempotencyStore, type OrganisationId } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expired, type IdempotencyPorts, keyOf, leased, start } from "./IdempotencySetup.ts"
import { insertOrganisation } from "./Setup.ts"

const unlimited = { limit: 1_000, maximumBytes: 1_000_000 }

const setup = Effect.gen(function* () {
  const store = yield* IdempotencyStore
  const organisationId = yield* insertOrganisation()
  const keyAt = (name: string) => keyOf(store, organisationId, name)
  const purge = (millis: number, options: Partial<typeof unlimited> = {}, owner: OrganisationId = organisationId) =>
    store.purge(owner, { ...unlimited, ...options, now: DateTime.add(start, { milliseconds: millis }) })
  const answered = Effect.fnUntraced(function* (name: string, millis: number, answer: string) {
    const key = keyAt(name)
    const seed = yield* key.claimed("a", millis)
    yield* key.complete(seed, answer)
    return { key, seed, kept: { _tag: "Answered", seed, answer } }
  })
  return { store, organisationId, keyAt, purge, answered }
})

/** All organisations with claims, in pages of two. */
const withClaims = Effect.fnUntraced(function* (limit = 2) {
  const { findOrganisations } = yield* IdempotencyStore
  const found: Array<OrganisationId> = []
  while (true) {
    const page = yield* findOrganisations({ after: found.at(-1) ?? null, limit })
    assert.ok(page.length <= limit, "no more than the limit")
    found.push(...page)
    assert.equal(new Set(found).size, found.length, "each once")
    if (page.length < limit) return found
  }
})

export const idempotencyPurgeCases: ReadonlyArray<ConformanceCase<IdempotencyPorts>> = [
  {
    name: "removes expired claims up to the limit and keeps live ones",
    check: Effect.gen(function* () {
      const { answered, keyAt, purge } = yield* setup
      for (const name of ["old-1", "old-2", "old-3"]) yield* keyAt(name).claimed("a")
      yield* answered("old-4", 0, "done")
      const { key, kept } = yield* answered("answered", 1, "done")
      const seed = yield* keyAt("claimed").claimed("a", 1)
      assert.equal(yield* purge(expired - 1), 0, "nothing has expired yet")
      assert.equal(yield* purge(expired, { limit: 3 }), 3, "as many as asked for")
      assert.equal(yield* purge(expired, { limit: 3 }), 1, "the rest")
      assert.equal(yield* purge(expired), 0, "nothing is left")
      assert.deepEqual(yield* key.claim("a", expired), kept)
      assert.equal(yield* keyAt("claimed").claimed("a", expired), seed)
      yield* keyAt("old-4").claimed("b", expired)
    })
  },
  {
    name: "drops the oldest answers beyond the budget; their requests get the same seeds",
    check: Effect.gen(function* () {
      const { answered, purge } = yield* setup
      // A euro sign has three bytes.
      const oldest = yield* answered("1", 1, "\u20ac".repeat(100))
      const middle = yield* answered("2", 2, "\u20ac".repeat(100))
      const newest = yield* answered("3", 3, "\u20ac".repeat(100))
      assert.equal(yield* purge(leased, { maximumBytes: 900 }), 0)
      for (const { kept, key } of [oldest, middle, newest]) assert.deepEqual(yield* key.claim("a", leased), kept)
      assert.equal(yield* purge(leased, { maximumBytes: 899 }), 0, "nothing is removed")
      assert.deepEqual(yield* middle.key.claim("a", leased), middle.kept)
      assert.deepEqual(yield* newest.key.claim("a", leased), newest.kept)
      assert.equal((yield* oldest.key.claim("b", leased))._tag, "Reused", "its key stands for the same request")
      assert.equal(yield* oldest.key.claimed("a", leased), oldest.seed)
    })
  },
  {
    name: "purges one organisation only",
    check: Effect.gen(function* () {
      const { answered, keyAt, purge } = yield* setup
      const other = yield* setup
      const own = yield* answered("own", 1, "done")
      yield* other.answered("larger", 2, "x".repeat(100))
      yield* purge(leased, { maximumBytes: 50 })
      assert.deepEqual(yield* own.key.claim("a", leased), own.kept, "the bytes of others do not count")
      yield* keyAt("old").claimed("a")
      const { key, kept } = yield* other.answered("old", 0, "done")
      assert.equal(yield* purge(leased, { maximumBytes: 0 }), 0)
      assert.equal(yield* purge(expired), 1)
      assert.deepEqual(yield* key.claim("a", leased), kept)
    })
  },
  {
    name: "finds the organisations with claims in pages, also those whose claims have all expired",
    check: Effect.gen(function* () {
      const setups = yield* Effect.forEach([0, 1, 2, 3, 4], () => setup)
      for (const { keyAt } of setups.slice(1)) {
        for (const name of ["1", "2", "3"]) yield* keyAt(name).claimed("a")
      }
      const owners = setups.slice(1).map(({ organisationId }) => organisationId)
      const found = yield* withClaims()
      assert.deepEqual(found, [...new Set(found)].sort(), "each once, in ascending order")
      const own = setups.map(({ organisationId }) => organisationId).filter((id) => found.includes(id))
      assert.deepEqual(own, owners)
      for (const { purge } of setups) yield* purge(expired)
      const after = yield* withClaims(1_000)
      assert.deepEqual(
        after.filter((id) => owners.includes(id)),
        []
      )
    })
  }
]
