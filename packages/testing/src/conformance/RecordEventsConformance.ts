/**
 * Cases about the events of changes.
 */
import {
  ApiKeyId,
  EventRepository,
  eventIdAt,
  type OrganisationId,
  Records,
  siteKind,
  subjectTypeOf,
  UserId
} from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { anId, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { insertOwner } from "./RecordOwner.ts"
import { recordSamples } from "./RecordSamples.ts"
import {
  anEvent,
  besides,
  commit,
  committed,
  concurrently,
  created,
  idOf,
  insertion,
  load,
  loaded,
  type RecordsPorts,
  update
} from "./RecordsSetup.ts"
import { changedAt, insertOrganisation, originIn } from "./Setup.ts"

const isAscending = (values: ReadonlyArray<number>): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? value))

/** Commits a change of the record that is stored then, and repeats it while it is stale. */
const changeUntilCommitted = Effect.fnUntraced(function* (organisationId: OrganisationId, id: string) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const stored = yield* loaded(organisationId, siteKind, id)
    const version = Number(Reflect.get(stored.record, "version")) + 1
    const events = [1, 2, 3].map((part) => anEvent(id, `${version}.${part}`))
    const outcome = yield* commit(organisationId, [update(siteKind, stored, { version })], { events })
    if (outcome._tag === "Committed") return
  }
  assert.fail("a commit within 100 attempts")
})

export const eventCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "writes the events of a change as they are given, in their order, with its origin",
    check: Effect.gen(function* () {
      const { organisationId, siteId } = yield* insertOwner
      const before = yield* storedEvents(organisationId)
      const made = yield* originIn(organisationId)
      const actor = { userId: UserId.make("user-1"), apiKeyId: ApiKeyId.make(anId()), keyPrefix: "sk_1" }
      const occurredAt = DateTime.add(made.occurredAt, { minutes: 1 })
      const origin = { ...made, occurredAt, actor, requestId: `request "1"` }
      const after = aSite({ organisationId })
      const changes = { siteName: { from: null, to: `A "site"` }, tags: { from: [], to: ["a", null, 1.5] } }
      const events = [
        { ...anEvent(siteId, "Last"), siteId, changes },
        { ...anEvent(after.id), type: "site.created" as const, subjectName: null },
        anEvent(anId(), "First"),
        anEvent(after.id, "Second of one subject")
      ]
      const change = { writes: [insertion(siteKind, after)], reads: [], events, origin, at: changedAt }
      const outcome = yield* (yield* Records).commit("Records", organisationId, change)
      assert.equal(outcome._tag, "Committed", "the outcome")
      const last = before.at(-1)?.sequence ?? 0
      assert.deepEqual(
        (yield* storedEvents(organisationId)).slice(before.length).map((event) => ({ ...event })),
        events.map(({ changes, siteId, subjectId, subjectName, type }, index) => ({
          id: eventIdAt(origin, index + 1),
          sequence: last + index + 1,
          type,
          occurredAt,
          actor,
          subject: { type: subjectTypeOf(type), id: subjectId, name: subjectName },
          siteId,
          changes,
          requestId: origin.requestId
        })),
        "the events"
      )
    })
  },
  {
    name: "writes no event for a change without one",
    check: Effect.gen(function* () {
      const owner = yield* insertOwner
      const { organisationId } = owner
      for (const { full, kind, plain } of recordSamples) {
        const stored = yield* created(organisationId, kind, full(owner, anId()))
        const events = yield* storedEvents(organisationId)
        const after = plain(owner, idOf(stored.record))
        yield* committed(organisationId, [update(kind, stored, after)], { events: [] })
        assert.deepEqual((yield* load(organisationId, kind, idOf(after)))?.record, after, `the ${kind.name}`)
        assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
      }
    })
  },
  {
    name: "numbers the events of concurrent changes in the order of their commits, and shows readers every one",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const hot = yield* created(organisationId, siteKind, aSite({ organisationId, version: 1 }))
      const ids = Array.from({ length: 15 }, anId)
      const read: Array<number> = []
      const reading = Effect.gen(function* () {
        while (true) {
          const page = { after: read.at(-1) ?? null, limit: 4, order: "asc" } as const
          const { items } = yield* EventRepository.use(({ list }) => list(organisationId, {}, page))
          read.push(...items.map(({ sequence }) => sequence))
          if (items.length < page.limit) return
        }
      })
      const beside = ids.map((id) =>
        Effect.asVoid(created(organisationId, siteKind, aSite({ ...hot.record, id: aSite().id, siteName: id })))
      )
      const changing = Array.from({ length: 6 }, () => changeUntilCommitted(organisationId, idOf(hot.record)))
      yield* besides(
        Effect.forEach([...changing, ...beside], (step) => step, concurrently),
        reading
      )
      const events = yield* storedEvents(organisationId)
      const sequences = events.map(({ sequence }) => sequence)
      assert.ok(isAscending(sequences), "ascending sequences")
      const versions = events
        .filter(({ subject }) => subject.id === idOf(hot.record))
        .map(({ subject }) => subject.name)
      const expected = [2, 3, 4, 5, 6, 7].flatMap((version) => [1, 2, 3].map((part) => `${version}.${part}`))
      assert.deepEqual(versions.slice(1), expected, "the events of the record that all change")
      assert.deepEqual(read, sequences, "what a reader of the feed has seen")
    })
  }
]
