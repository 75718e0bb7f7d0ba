/**
 * Stored answers of an `IdempotencyStore`.
 */
import { maximumAnswerBytes } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { aKey, alive, aRequest, type IdempotencyPorts, inUse, unleased } from "./IdempotencySetup.ts"
import { hostileTexts } from "./Setup.ts"

const answers: ReadonlyArray<string> = [
  ...hostileTexts,
  "",
  '{"status":201,"body":"{\\"id\\":\\"\\u0000\\"}"}',
  "\u0001\u001b\r\n\t\u2028",
  "x".repeat(maximumAnswerBytes),
  "\u20ac".repeat(maximumAnswerBytes / 3)
]

export const idempotencyAnswerCases: ReadonlyArray<ConformanceCase<IdempotencyPorts>> = [
  {
    name: "returns the stored answer unchanged to the same request",
    check: Effect.gen(function* () {
      for (const answer of answers) {
        const key = yield* aKey
        const seed = yield* key.claimed("a")
        yield* key.complete(seed, answer)
        for (const millis of [0, unleased, alive]) {
          const kept = yield* key.claim("a", millis)
          assert.deepEqual(kept, { _tag: "Answered", seed, answer }, `${answer.slice(0, 40)} after ${millis} ms`)
        }
      }
    })
  },
  {
    name: "keeps the first answer, and a claim that was answered",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const seed = yield* key.claimed("a")
      yield* key.complete(seed, "first")
      yield* key.complete(seed, "second")
      yield* key.abandon(seed, 0)
      yield* key.release(seed)
      assert.deepEqual(yield* key.claim("a", 1), { _tag: "Answered", seed, answer: "first" })
    })
  },
  {
    name: "stores an answer that arrives after the end of the lease",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const seed = yield* key.claimed("a")
      yield* key.claimed("a", unleased)
      yield* key.complete(seed, "done")
      assert.deepEqual(yield* key.claim("a", unleased), { _tag: "Answered", seed, answer: "done" })
    })
  },
  {
    name: "completes, releases and abandons the claim with the given seed and no other one",
    check: Effect.gen(function* () {
      const key = yield* aKey
      const { seed: strange } = yield* aRequest("a")
      yield* key.complete(strange, "nothing")
      yield* key.release(strange)
      yield* key.abandon(strange, 0)
      const seed = yield* key.claimed("a")
      yield* key.complete(strange, "done")
      assert.deepEqual(yield* key.claim("a", 1), inUse, "an answer to another claim")
      yield* key.release(strange)
      assert.deepEqual(yield* key.claim("a", 1), inUse, "the release of another claim")
      yield* key.abandon(strange, 0)
      assert.deepEqual(yield* key.claim("a", 1), inUse, "the end of another claim's lease")
      yield* key.release(seed)
      yield* key.complete(seed, "done")
      assert.notEqual(yield* key.claimed("a", 1), seed, "the answer to a claim that is gone")
    })
  }
]
