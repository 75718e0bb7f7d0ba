import { describe, expect, it } from "@effect/vitest"
import { DocumentSweeper } from "@solar-sites/core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { services } from "../services.ts"
import { breakableServices, bytes, setup } from "./setup.ts"

const twenty = Array.from({ length: 20 }, () => ({}))

/** Pending documents of eight requests: those of more than three turns. */
const backlog = Effect.gen(function* () {
  const one = yield* setup
  for (let request = 0; request < 8; request++) yield* one.issue(...twenty)
  const pending = Effect.map(one.documents.list({ status: "pending" }), ({ data }) => data.length).pipe(one.asPerson)
  return { ...one, pending }
})

describe("the sweeper, with more work than fits into a turn,", () => {
  it.effect("goes on at once, and is done within one interval", () =>
    Effect.gen(function* () {
      const { asPerson, documents, pending, site, sites } = yield* backlog
      expect(yield* pending).toBe(160)
      yield* TestClock.adjust("16 minutes")
      yield* TestClock.adjust("10 seconds")
      expect(yield* pending).toBe(0)
      yield* sites.delete(site.id).pipe(asPerson)
      yield* TestClock.adjust("10 seconds")
      expect(yield* (yield* DocumentSweeper).sweep).toMatchObject({ filesDeleted: 0, more: false })
      expect((yield* documents.list().pipe(asPerson)).data).toEqual([])
    }).pipe(Effect.provide(services))
  )

  it.effect("gives every organisation its turn", () =>
    Effect.gen(function* () {
      // The addresses lapse between two runs in the background.
      yield* TestClock.adjust("5 seconds")
      const { pending } = yield* backlog
      const other = yield* setup
      const upload = yield* other.issueOne()
      yield* other.send(upload, bytes(3))
      yield* TestClock.adjust("1 minute")
      const { sweep } = yield* DocumentSweeper
      const turn = yield* sweep
      expect(turn).toMatchObject({ more: true, uploaded: 1, waiting: 50 })
      expect(yield* pending).toBe(160)
    }).pipe(Effect.provide(services))
  )

  it.effect("waits for the next interval when storage answers nothing", () => {
    const { layer, state } = breakableServices()
    return Effect.gen(function* () {
      const { pending } = yield* backlog
      state.down = true
      yield* TestClock.adjust("20 minutes")
      expect(yield* pending).toBe(160)
      const { sweep } = yield* DocumentSweeper
      yield* TestClock.adjust("5 seconds")
      expect((yield* sweep).more).toBe(false)
    }).pipe(Effect.provide(layer))
  })
})
