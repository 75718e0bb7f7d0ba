import { describe, expect, it } from "@effect/vitest"
import {
  type Change,
  type Find,
  foundOf,
  RepositoryError,
  Revision,
  type Site,
  Stale,
  type Stored,
  siteKind
} from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeDeciding } from "../../src/records/Deciding.ts"
import { updateSite } from "../../src/sites/SiteRules.ts"
import { at, organisationId, origin } from "./deciding.ts"

const site = aSite({ organisationId })

/** A store of one site. `onCommit` can take its time, fail, or change the site first. */
const store = (onCommit: (commits: number) => Effect.Effect<unknown, RepositoryError> = () => Effect.void) => {
  const state: { stored: Stored<Site>; loads: number; commits: number; changes: Array<Change> } = {
    stored: { record: site, revision: Revision("0") },
    loads: 0,
    commits: 0,
    changes: []
  }
  const put = (record: Site) => {
    state.stored = { record, revision: Revision(String(Number(state.stored.revision) + 1)) }
  }
  const load = (_: string, __: unknown, finds: ReadonlyArray<Find>) =>
    Effect.sync(() => {
      state.loads += 1
      return foundOf(finds.map((find) => ({ find, stored: [state.stored] })))
    })
  const commit = (_: string, __: unknown, change: Change) =>
    Effect.gen(function* () {
      state.commits += 1
      yield* onCommit(state.commits)
      const [write] = change.writes
      if (write?.before?.revision !== state.stored.revision) return new Stale({ conflict: "site" })
      put(write.after as Site)
      state.changes.push(change)
      return { _tag: "Committed" as const, revisions: [state.stored.revision] }
    })
  return { state, put, deciding: makeDeciding({ load, commit }) }
}

const addsOne = (deciding: ReturnType<typeof makeDeciding>) =>
  deciding.update(siteKind, site.id, {
    operation: "test",
    organisationId,
    finds: [{ kind: siteKind, by: "id", values: [site.id] }],
    rule: (found) => {
      const capacity = (found.byId(siteKind, site.id)?.record.capacity ?? 0) + 1
      return updateSite({ organisationId, siteId: site.id, changes: { capacity }, at }, origin)(found)
    }
  })

describe("a command that changes a record", () => {
  it.effect("loads once, decides and commits once", () =>
    Effect.gen(function* () {
      const { deciding, state } = store()
      expect((yield* addsOne(deciding)).capacity).toBe(site.capacity + 1)
      expect(state).toMatchObject({ loads: 1, commits: 1 })
    })
  )

  it.effect("decides again on what it loads after a stale commit", () =>
    Effect.gen(function* () {
      const { deciding, put, state } = store((commits) =>
        Effect.sync(() => {
          if (commits <= 2) put(aSite({ ...state.stored.record, capacity: commits * 100 }))
        })
      )
      expect((yield* addsOne(deciding)).capacity).toBe(201)
      expect(state).toMatchObject({ loads: 3, commits: 3 })
    })
  )

  it.effect("refuses what the rule refuses after a stale commit", () =>
    Effect.gen(function* () {
      const { deciding, put } = store(() => Effect.sync(() => put(aSite({ ...site, version: 7 }))))
      const rule = updateSite(
        { organisationId, siteId: site.id, changes: { capacity: 9 }, at, expectedVersions: [site.version] },
        origin
      )
      const finds = [{ kind: siteKind, by: "id", values: [site.id] }]
      const command = { operation: "test", organisationId, finds, rule }
      expect(yield* Effect.flip(deciding.update(siteKind, site.id, command))).toMatchObject({
        _tag: "VersionMismatch",
        actual: 7
      })
    })
  )

  it.effect("lets the rule refuse a value that is taken in another organisation", () =>
    Effect.gen(function* () {
      const taken = { kind: siteKind.name, member: "externalId" }
      const seen: Array<ReadonlyArray<boolean>> = []
      const deciding = makeDeciding({
        load: () => Effect.succeed(foundOf([])),
        commit: () => Effect.succeed(new Stale({ conflict: "site_external_id", taken }))
      })
      const change = { writes: [], events: [], origin, at }
      const refusal = yield* Effect.flip(
        deciding.create(
          {
            operation: "test",
            organisationId,
            finds: [],
            rule: ({ isTaken }) => {
              seen.push([isTaken(siteKind, "externalId"), isTaken(siteKind, "siteName")])
              return isTaken(siteKind, "externalId")
                ? Result.fail("taken" as const)
                : Result.succeed({ answer: "stored", change })
            }
          },
          null
        )
      )
      expect(refusal).toBe("taken")
      expect(seen).toEqual([
        [false, false],
        [true, false]
      ])
    })
  )

  it.effect("commits nothing when all is as it should be", () =>
    Effect.gen(function* () {
      const { deciding, state } = store()
      const finds = [{ kind: siteKind, by: "id", values: [site.id] }]
      const rule = () => Result.succeed({ answer: "same", change: null })
      expect(yield* deciding.update(siteKind, site.id, { operation: "test", organisationId, finds, rule })).toBe("same")
      expect(state.commits).toBe(0)
    })
  )

  it.effect("loses none of fifty concurrent changes, and hands the committed record on without a load", () =>
    Effect.gen(function* () {
      const { deciding, state } = store(() => Effect.yieldNow)
      yield* Effect.all(
        Array.from({ length: 50 }, () => addsOne(deciding)),
        { concurrency: "unbounded" }
      )
      expect(state.stored.record.capacity).toBe(site.capacity + 50)
      expect(state).toMatchObject({ loads: 1, commits: 50 })
    })
  )

  it.effect("refuses nothing, and leaves nothing as it is, by a record that was handed on", () =>
    Effect.gen(function* () {
      const { deciding, put, state } = store(() => Effect.yieldNow)
      const finds = [{ kind: siteKind, by: "id", values: [site.id] }]
      const seen: Array<number | undefined> = []
      const reads = deciding.update(siteKind, site.id, {
        operation: "test",
        organisationId,
        finds,
        rule: (found) => {
          const stored = found.byId(siteKind, site.id)?.record
          seen.push(stored?.capacity)
          // Another process changes the record after the commit that was handed on.
          if (seen.length === 1) put(aSite({ ...site, capacity: 77 }))
          return Result.succeed({ answer: stored?.capacity, change: null })
        }
      })
      const [, answer] = yield* Effect.all([addsOne(deciding), reads], { concurrency: "unbounded" })
      expect(answer).toBe(77)
      expect(seen).toEqual([site.capacity + 1, 77])
      expect(state.loads).toBe(2)
    })
  )

  it.effect("leaves no call behind that was interrupted while it waited", () =>
    Effect.gen(function* () {
      const { deciding, state } = store((commits) => (commits === 1 ? Effect.sleep("1 second") : Effect.void))
      const first = yield* Effect.forkChild(addsOne(deciding))
      const waiting = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 999 }), () => addsOne(deciding), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("10 millis")
      yield* Fiber.interrupt(waiting)
      const others = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 999 }), () => addsOne(deciding), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* Fiber.join(others)
      expect(state.stored.record.capacity).toBe(site.capacity + 1_000)
    })
  )

  it.effect("loads again after a call that failed", () =>
    Effect.gen(function* () {
      const failure = new RepositoryError({ operation: "test", retryable: true, cause: new Error("lost") })
      const { deciding, state } = store((commits) =>
        Effect.andThen(Effect.yieldNow, commits === 2 ? Effect.fail(failure) : Effect.void)
      )
      const results = yield* Effect.all(
        Array.from({ length: 3 }, () => Effect.result(addsOne(deciding))),
        { concurrency: "unbounded" }
      )
      expect(results.map(Result.isSuccess)).toEqual([true, false, true])
      expect(state).toMatchObject({ loads: 2, commits: 3 })
    })
  )

  it.effect("fails within its time limit while others change the record all the time", () =>
    Effect.gen(function* () {
      const { deciding, put, state } = store(() =>
        Effect.andThen(
          Effect.sleep("300 millis"),
          Effect.sync(() => put(state.stored.record))
        )
      )
      const fiber = yield* Effect.forkChild(Effect.flip(addsOne(deciding)))
      yield* TestClock.adjust("6 seconds")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "RepositoryError", retryable: true })
      expect(state.commits).toBe(17)
    })
  )

  it.effect("does not begin after its time limit, and refuses more than a thousand waiting calls", () =>
    Effect.gen(function* () {
      const { deciding, state } = store((commits) => (commits === 1 ? Effect.sleep("6 seconds") : Effect.void))
      const calls = Array.from({ length: 1_001 }, () => Effect.result(addsOne(deciding)))
      const fiber = yield* Effect.forkChild(Effect.all(calls, { concurrency: "unbounded" }))
      yield* TestClock.adjust("6 seconds")
      const results = yield* Fiber.join(fiber)
      expect(results.filter(Result.isSuccess)).toHaveLength(1)
      expect(state.commits).toBe(1)
      const messages = results.flatMap((result) => (Result.isFailure(result) ? [result.failure.message] : []))
      expect(messages.at(-1)).toContain("1000 calls change the record")
      expect(messages[0]).toContain("no turn within 5000 ms")
      expect((yield* addsOne(deciding)).capacity, "a later call has its turn").toBe(site.capacity + 2)
    })
  )
})
