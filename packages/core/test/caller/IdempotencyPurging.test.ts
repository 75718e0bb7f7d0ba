import { describe, expect, it } from "@effect/vitest"
import { IdempotencyStore } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { services } from "../services.ts"

describe("the purge of idempotency keys", () => {
  it.effect("removes those of organisations that send no requests any more, in the background", () =>
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const owners = [anOrganisationId(), anOrganisationId()]
      const now = yield* DateTime.now
      for (const owner of owners) {
        for (let index = 0; index < 2_500; index++) {
          const claim = {
            fingerprint: "a",
            seed: "b",
            now,
            leaseUntil: now,
            expiresAt: DateTime.add(now, { minutes: 5 })
          }
          yield* store.claim(owner, { caller: "host", key: `${index}` }, claim)
        }
      }
      const left = store.findOrganisations({ after: null, limit: 10 })
      yield* TestClock.adjust("4 minutes")
      expect(yield* left).toEqual([...owners].sort())
      yield* TestClock.adjust("2 minutes")
      expect(yield* left).toEqual([])
    }).pipe(Effect.provide(services))
  )
})
