/**
 * What every `AccessChanges` must do within a process. What reaches other
 * processes is told by the tests of the adapter, who know its message bus.
 */
import { type AccessChange, AccessChanges, type OrganisationId } from "@solar-sites/core"
import { Effect, Exit, Scope } from "effect"
import { anApiKey, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"

/** Where a listener keeps what it hears of one organisation. Others may publish on the same bus meanwhile. */
const notebook = (organisationId: OrganisationId) => {
  const heard: Array<AccessChange> = []
  const listener = (change: AccessChange) =>
    Effect.sync(() => {
      if (change !== "everything" && change.organisationId === organisationId) heard.push(change)
    })
  return { heard, listener }
}

/**
 * @category conformance
 * @since 0.1.0
 */
export const accessChangesConformance: ConformanceSuite<AccessChanges> = {
  port: "AccessChanges",
  cases: [
    {
      name: "has told a listener, once, when publishing ends",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const { heard, listener } = notebook(organisationId)
        yield* changes.listen(listener)
        const published = [{ organisationId, apiKeyId: anApiKey().id }, { organisationId }]
        for (const [index, change] of published.entries()) {
          yield* changes.publish(change)
          assert.deepEqual(heard, published.slice(0, index + 1), "heard as it was said, once, before publish ended")
        }
      }).pipe(Effect.scoped)
    },
    {
      name: "waits for a listener that takes its time",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const { heard, listener } = notebook(organisationId)
        yield* changes.listen((change) =>
          Effect.yieldNow.pipe(Effect.repeat({ times: 20 }), Effect.andThen(listener(change)))
        )
        yield* changes.publish({ organisationId })
        assert.deepEqual(heard, [{ organisationId }], "a cache is empty when publish has ended, not a little later")
      }).pipe(Effect.scoped)
    },
    {
      name: "tells every listener",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const notebooks = [1, 2, 3].map(() => notebook(organisationId))
        for (const { listener } of notebooks) yield* changes.listen(listener)
        yield* changes.publish({ organisationId })
        for (const { heard } of notebooks) assert.deepEqual(heard, [{ organisationId }])
      }).pipe(Effect.scoped)
    },
    {
      name: "tells listeners that everything may have changed",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        let heard = false
        yield* changes.listen((change) =>
          Effect.sync(() => {
            heard ||= change === "everything"
          })
        )
        yield* changes.publish("everything")
        assert.equal(heard, true, "everything was published, and heard before publish ended")
      }).pipe(Effect.scoped)
    },
    {
      name: "tells a listener nothing after its scope has closed",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const [leaving, staying] = [notebook(organisationId), notebook(organisationId)]
        const scope = yield* Scope.make()
        yield* changes.listen(staying.listener)
        yield* changes.listen(leaving.listener).pipe(Scope.provide(scope))
        yield* changes.publish({ organisationId })
        yield* Scope.close(scope, Exit.void)
        yield* changes.publish({ organisationId, apiKeyId: "second" })
        assert.deepEqual(leaving.heard, [{ organisationId }], "a closed listener hears nothing any more")
        assert.equal(staying.heard.length, 2, "the others still hear everything")
      }).pipe(Effect.scoped)
    },
    {
      name: "tells a listener nothing of what was published before it listened",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        yield* changes.publish({ organisationId })
        const { heard, listener } = notebook(organisationId)
        yield* changes.listen(listener)
        assert.deepEqual(heard, [], "whoever begins to listen has nothing to forget")
      }).pipe(Effect.scoped)
    },
    {
      name: "delivers every one of many concurrent changes",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const { heard, listener } = notebook(organisationId)
        yield* changes.listen(listener)
        const published = Array.from({ length: 50 }, () => ({ organisationId, apiKeyId: anApiKey().id }))
        yield* Effect.forEach(published, changes.publish, { concurrency: "unbounded", discard: true })
        const ids = (all: ReadonlyArray<AccessChange>) =>
          all.map((change) => (change === "everything" ? "" : change.apiKeyId)).sort()
        assert.deepEqual(ids(heard), ids(published), "each of them, once")
      }).pipe(Effect.scoped)
    }
  ]
}
