/**
 * Purge of an `EventRepository`, and the events of deleted organisations.
 */
import { EventRepository, type OrganisationId } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { type EventPorts, storedEvents } from "./EventSetup.ts"
import { insertOrganisation, insertPortfolio } from "./Setup.ts"

/** Writes events, and returns an instant after all of them. */
const writeEvents = Effect.fnUntraced(function* (organisationId: OrganisationId, count: number) {
  for (let index = 0; index < count; index++) yield* insertPortfolio(organisationId)
  const last = (yield* storedEvents(organisationId)).at(-1)?.occurredAt ?? (yield* DateTime.now)
  return DateTime.add(last, { milliseconds: 1 })
})

const sequencesOf = (organisationId: OrganisationId) =>
  Effect.map(storedEvents(organisationId), (events) => events.map(({ sequence }) => sequence))

/** All organisations after `start` with events from before the instant, in pages of two. */
const found = Effect.fnUntraced(function* (before: DateTime.Utc, start: OrganisationId) {
  const { findOrganisations } = yield* EventRepository
  const all: Array<OrganisationId> = []
  while (true) {
    const page = yield* findOrganisations({ before, after: all.at(-1) ?? start, limit: 2 })
    assert.ok(page.length <= 2, "no more than the limit")
    all.push(...page)
    assert.deepEqual(all, [...new Set(all)].sort(), "each once, in ascending order")
    if (page.length < 2) return all
  }
})

export const eventPurgeCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "deletes the oldest events before an instant, up to the limit, and keeps the others",
    check: Effect.gen(function* () {
      const { purge } = yield* EventRepository
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const before = yield* writeEvents(organisationId, 5)
      yield* writeEvents(other, 1)
      const all = yield* sequencesOf(organisationId)
      const oldest = (yield* storedEvents(organisationId))[0]?.occurredAt ?? before
      assert.equal(yield* purge(organisationId, { before: oldest, limit: 9 }), 0, "none occurred before the first one")
      assert.equal(yield* purge(organisationId, { before, limit: 3 }), 3, "as many as asked for")
      assert.deepEqual(yield* sequencesOf(organisationId), all.slice(3), "the oldest are gone")
      assert.equal(yield* purge(organisationId, { before, limit: 3 }), 2, "the rest")
      assert.equal(yield* purge(organisationId, { before, limit: 3 }), 0, "nothing is left")
      assert.equal((yield* sequencesOf(other)).length, 1, "the other organisation keeps its event")
      yield* insertPortfolio(organisationId)
      const [next = 0] = yield* sequencesOf(organisationId)
      assert.ok(next > (all.at(-1) ?? 0), "sequences go on after a purge")
    })
  },
  {
    name: "finds the organisations that have events from before an instant",
    check: Effect.gen(function* () {
      const { findOrganisations, purge } = yield* EventRepository
      // A database that other cases use holds a thousand organisations before this one.
      const start = yield* insertOrganisation()
      const [first, second, without] = [
        yield* insertOrganisation(),
        yield* insertOrganisation(),
        yield* insertOrganisation()
      ]
      yield* writeEvents(first, 2)
      const before = yield* writeEvents(second, 1)
      const own = (ids: ReadonlyArray<OrganisationId>) => ids.filter((id) => [first, second, without].includes(id))
      assert.deepEqual(own(yield* found(before, start)), [first, second])
      const oldest = (yield* storedEvents(first))[0]?.occurredAt ?? before
      assert.deepEqual(own(yield* found(oldest, start)), [], "an event at the instant itself does not count")
      const all = yield* findOrganisations({ before, after: null, limit: 100_000 })
      assert.deepEqual([...all].sort(), all, "in ascending order")
      assert.deepEqual(own(all), [first, second], "also without a start")
      yield* purge(first, { before, limit: 9 })
      assert.deepEqual(own(yield* found(before, start)), [second])
    })
  },
  {
    name: "deletes all events of one organisation in steps",
    check: Effect.gen(function* () {
      const { deleteAll } = yield* EventRepository
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      yield* writeEvents(organisationId, 3)
      yield* writeEvents(other, 2)
      const kept = yield* storedEvents(other)
      const all = yield* sequencesOf(organisationId)
      assert.equal(yield* deleteAll(organisationId, { limit: 2 }), 2, "as many as asked for")
      assert.deepEqual(yield* sequencesOf(organisationId), all.slice(2), "the oldest first")
      assert.equal(yield* deleteAll(organisationId, { limit: 2 }), 1, "the rest")
      assert.equal(yield* deleteAll(organisationId, { limit: 2 }), 0, "nothing is left")
      assert.deepEqual(yield* storedEvents(organisationId), [])
      assert.deepEqual(yield* storedEvents(other), kept, "the other organisation keeps its events")
    })
  }
]
