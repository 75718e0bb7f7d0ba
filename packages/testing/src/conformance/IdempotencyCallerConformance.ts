/**
 * Callers of an `IdempotencyStore`: each has keys of its own.
 */
import { IdempotencyStore } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { aRequest, type IdempotencyPorts, inUse, keyOf, reused } from "./IdempotencySetup.ts"
import { insertOrganisation } from "./Setup.ts"

const long = "\u{1f33b}".repeat(199)
const apiKey = "01980000-0000-7000-8000-00000000000"

const callers = [
  ...["host", "user", "user 1", "user 11", "user 1 1", "User 1", "user '--", "user %", "user $1", "user \u00e9"],
  ...[`user ${long}1`, `user ${long}2`, `key ${apiKey}1`, `key ${apiKey}2`, `user ${apiKey}1`]
]

export const idempotencyCallerCases: ReadonlyArray<ConformanceCase<IdempotencyPorts>> = [
  {
    name: "keeps the keys of callers apart, also for the same request and seed",
    check: Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const organisationId = yield* insertOrganisation()
      const request = yield* aRequest("a")
      const { seed } = request
      const keys = callers.map((caller) => keyOf(store, organisationId, "1", caller))
      const further = callers.map((caller) => keyOf(store, organisationId, "11", caller))
      for (const key of [...keys, ...further]) {
        assert.deepEqual(yield* key.claimAs(request), { _tag: "Claimed", seed }, "a claim of another caller")
      }
      const [first, second, ...others] = keys
      yield* first?.complete(seed, "done") ?? Effect.void
      for (const key of others) assert.deepEqual(yield* key.claim("a", 1), inUse, "the answer of another caller")
      yield* second?.abandon(seed, 1) ?? Effect.void
      for (const key of others) assert.deepEqual(yield* key.claim("a", 1), inUse, "the end of another caller's lease")
      yield* second?.release(seed) ?? Effect.void
      for (const key of others) assert.deepEqual(yield* key.claim("a", 1), inUse, "the release of another caller")
    })
  },
  {
    name: "gives a key to any request of another caller, in any state of the first one",
    check: Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const organisationId = yield* insertOrganisation()
      const own = keyOf(store, organisationId, "1", "user 1")
      const seed = yield* own.claimed("a")
      assert.notEqual(yield* keyOf(store, organisationId, "1", "user 2").claimed("b"), seed, "while it runs")
      yield* own.complete(seed, "done")
      const third = keyOf(store, organisationId, "1", "user 3")
      assert.notEqual(yield* third.claimed("a"), seed, "after its answer")
      assert.deepEqual(yield* third.claim("b"), reused, "a caller's own request")
      assert.deepEqual(yield* own.claim("a", 1), { _tag: "Answered", seed, answer: "done" })
    })
  }
]
