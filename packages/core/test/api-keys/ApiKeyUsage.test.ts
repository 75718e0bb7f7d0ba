import { describe, expect, it } from "@effect/vitest"
import { ApiKeyStore, ApiKeyUsage, type ApiKeyUse, RepositoryError } from "@solar-sites/core"
import { anApiKey } from "@solar-sites/testing"
import { Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"

const setUp = Effect.gen(function* () {
  const written: Array<[string, ReadonlyArray<[string, number]>]> = []
  const state = { down: false }
  const times = (uses: ReadonlyArray<ApiKeyUse>) =>
    uses.map(({ apiKeyId, usedAt }): [string, number] => [apiKeyId, usedAt.epochMilliseconds])
  const store = Layer.mock(ApiKeyStore, {
    recordUses: (organisationId, uses) =>
      Effect.suspend(() =>
        state.down
          ? Effect.fail(new RepositoryError({ operation: "x", retryable: true, cause: new Error("gone") }))
          : Effect.sync(() => void written.push([organisationId, times(uses)]))
      )
  })
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(ApiKeyUsage.layer.pipe(Layer.provide(store)), scope)
  const { record } = yield* Effect.provide(Effect.service(ApiKeyUsage), context)
  const { id, organisationId } = anApiKey()
  return { state, written, scope, record: record(organisationId, id), recordOf: record, id, organisationId }
})

describe("ApiKeyUsage", () => {
  it.effect("writes the last of many uses, once in thirty seconds", () =>
    Effect.gen(function* () {
      const { id, record, organisationId, written } = yield* setUp
      for (let second = 0; second < 30; second++) {
        yield* record
        yield* TestClock.adjust("1 second")
      }
      expect(written).toEqual([[organisationId, [[id, 29_000]]]])
    })
  )

  it.effect("writes nothing while nothing is used", () =>
    Effect.gen(function* () {
      const { record, written } = yield* setUp
      yield* record
      yield* TestClock.adjust("10 minutes")
      expect(written.length).toBe(1)
    })
  )

  it.effect("writes what is left when it is closed", () =>
    Effect.gen(function* () {
      const { id, record, organisationId, scope, written } = yield* setUp
      yield* TestClock.adjust("31 seconds")
      yield* record
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      expect(written).toEqual([[organisationId, [[id, 31_000]]]])
    })
  )

  it.effect("keeps what could not be written for the next round, and the latest of it", () =>
    Effect.gen(function* () {
      const { id, record, organisationId, state, written } = yield* setUp
      state.down = true
      yield* record
      yield* TestClock.adjust("30 seconds")
      state.down = false
      yield* record
      yield* TestClock.adjust("30 seconds")
      expect(written).toEqual([[organisationId, [[id, 30_000]]]])
    })
  )

  it.effect("writes each organisation's keys by themselves, also after a round that failed", () =>
    Effect.gen(function* () {
      const { id, organisationId, recordOf, state, written } = yield* setUp
      const other = anApiKey()
      const second = anApiKey({ organisationId: other.organisationId })
      const recordAll = Effect.all([
        recordOf(organisationId, id),
        recordOf(other.organisationId, other.id),
        recordOf(other.organisationId, second.id)
      ])
      const all = (at: number) => [
        [organisationId, [[id, at]]],
        [
          other.organisationId,
          [
            [other.id, at],
            [second.id, at]
          ]
        ]
      ]
      yield* recordAll
      yield* TestClock.adjust("30 seconds")
      expect(written.splice(0)).toEqual(all(0))

      yield* recordAll
      state.down = true
      yield* TestClock.adjust("30 seconds")
      state.down = false
      yield* TestClock.adjust("30 seconds")
      expect(written).toEqual(all(30_000))
    })
  )
})
