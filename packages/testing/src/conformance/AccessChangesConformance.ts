/**
 * Promises of every `AccessChanges` within a process. Tests of an adapter check delivery to other
 * processes.
 */
import { type AccessChange, AccessChanges, type OrganisationId } from "@solar-sites/core"
import { Effect, Exit, Scope } from "effect"
import { anApiKey, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"

/**
 * A listener that records the changes of one organisation. Other cases can publish on the same bus.
 */
const recorder = (organisationId: OrganisationId) => {
  const received: Array<AccessChange> = []
  const listener = (change: AccessChange) =>
    Effect.sync(() => {
      if (change !== "everything" && change.organisationId === organisationId) received.push(change)
    })
  return { received, listener }
}

export const accessChangesConformance: ConformanceSuite<AccessChanges> = {
  port: "AccessChanges",
  cases: [
    {
      name: "has notified a listener, once, when publishing ends",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const { received, listener } = recorder(organisationId)
        yield* changes.listen(listener)
        const published = [{ organisationId, apiKeyId: anApiKey().id }, { organisationId }]
        for (const [index, change] of published.entries()) {
          yield* changes.publish(change)
          assert.deepEqual(received, published.slice(0, index + 1), "received unchanged, once, before publish ended")
        }
      }).pipe(Effect.scoped)
    },
    {
      name: "waits for a slow listener",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const { received, listener } = recorder(organisationId)
        yield* changes.listen((change) =>
          Effect.yieldNow.pipe(Effect.repeat({ times: 20 }), Effect.andThen(listener(change)))
        )
        yield* changes.publish({ organisationId })
        assert.deepEqual(received, [{ organisationId }], "a cache is empty when publish has ended, not a little later")
      }).pipe(Effect.scoped)
    },
    {
      name: "notifies every listener",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const recorders = [1, 2, 3].map(() => recorder(organisationId))
        for (const { listener } of recorders) yield* changes.listen(listener)
        yield* changes.publish({ organisationId })
        for (const { received } of recorders) assert.deepEqual(received, [{ organisationId }])
      }).pipe(Effect.scoped)
    },
    {
      name: "notifies listeners that everything may have changed",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        let received = false
        yield* changes.listen((change) =>
          Effect.sync(() => {
            received ||= change === "everything"
          })
        )
        yield* changes.publish("everything")
        assert.equal(received, true, "everything was published, and received before publish ended")
      }).pipe(Effect.scoped)
    },
    {
      name: "does not notify a listener after its scope has closed",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const [leaving, staying] = [recorder(organisationId), recorder(organisationId)]
        const scope = yield* Scope.make()
        yield* changes.listen(staying.listener)
        yield* changes.listen(leaving.listener).pipe(Scope.provide(scope))
        yield* changes.publish({ organisationId })
        yield* Scope.close(scope, Exit.void)
        yield* changes.publish({ organisationId, apiKeyId: "second" })
        assert.deepEqual(leaving.received, [{ organisationId }], "a closed listener hears nothing any more")
        assert.equal(staying.received.length, 2, "the others still hear everything")
      }).pipe(Effect.scoped)
    },
    {
      name: "does not notify a listener of earlier changes",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        yield* changes.publish({ organisationId })
        const { received, listener } = recorder(organisationId)
        yield* changes.listen(listener)
        assert.deepEqual(received, [], "a new listener has nothing cached")
      }).pipe(Effect.scoped)
    },
    {
      name: "delivers every one of many concurrent changes",
      check: Effect.gen(function* () {
        const changes = yield* AccessChanges
        const organisationId = anOrganisationId()
        const { received, listener } = recorder(organisationId)
        yield* changes.listen(listener)
        const published = Array.from({ length: 50 }, () => ({ organisationId, apiKeyId: anApiKey().id }))
        yield* Effect.forEach(published, changes.publish, { concurrency: "unbounded", discard: true })
        const ids = (all: ReadonlyArray<AccessChange>) =>
          all.map((change) => (change === "everything" ? "" : change.apiKeyId)).sort()
        assert.deepEqual(ids(received), ids(published), "each of them, once")
      }).pipe(Effect.scoped)
    }
  ]
}
