/**
 * Cases about records of one kind that a change was decided on and does not write.
 */
import type { Read, Stored } from "@solar-sites/core"
import { Effect } from "effect"
import { anId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { insertOwner } from "./RecordOwner.ts"
import type { KindSample } from "./RecordSamples.ts"
import {
  commit,
  committed,
  concurrently,
  created,
  find,
  idOf,
  insertion,
  isStale,
  load,
  loaded,
  type RecordsPorts,
  refused,
  removal,
  update,
  wordOf
} from "./RecordsSetup.ts"

const readOf = ({ kind }: KindSample, { record, revision }: Stored<object>): Read => ({
  kind,
  id: idOf(record),
  revision
})
const absenceOf = ({ kind }: KindSample, id: string): Read => ({ kind, id, revision: null })

export const readCases = (sample: KindSample): ReadonlyArray<ConformanceCase<RecordsPorts>> => {
  const { full, kind, plain } = sample
  const word = wordOf(kind)
  return [
    {
      name: `does nothing when a ${word} that was read has changed, is gone or is there, and commits when not`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const id = anId()
        const marks: Array<string> = []
        const mark = (read: Read) => {
          const write = insertion(kind, plain(owner, anId()))
          marks.push(write.id)
          return [organisationId, [write], { reads: [read, absenceOf(sample, anId())] }] as const
        }
        yield* committed(...mark(absenceOf(sample, id)))
        const first = yield* created(organisationId, kind, full(owner, id))
        yield* refused(...mark(absenceOf(sample, id)))
        yield* committed(...mark(readOf(sample, first)))
        assert.deepEqual(yield* loaded(organisationId, kind, id), first, "a record that is read")
        const [revision] = yield* committed(organisationId, [update(kind, first, plain(owner, id))])
        yield* refused(...mark(readOf(sample, first)))
        const second = yield* loaded(organisationId, kind, id)
        assert.equal(second.revision, revision, "the revision")
        yield* committed(...mark(readOf(sample, second)))
        yield* committed(organisationId, [removal(kind, second)])
        yield* refused(...mark(readOf(sample, second)))
        yield* committed(...mark(absenceOf(sample, id)))
        yield* created(organisationId, kind, full(owner, id))
        yield* refused(...mark(readOf(sample, second)))
        const stored = new Set((yield* find(organisationId, kind, marks)).map(({ record }) => idOf(record)))
        const expected = [true, false, true, false, true, false, true, false]
        assert.deepEqual(
          marks.map((one) => stored.has(one)),
          expected,
          "what is written"
        )
      })
    },
    {
      name: `commits one of two concurrent changes that each read a ${word} which the other one writes`,
      check: Effect.gen(function* () {
        const rounds = Array.from({ length: 5 }, () =>
          Effect.gen(function* () {
            const owner = yield* insertOwner
            const { organisationId } = owner
            const ids = [anId(), anId()]
            const creations = ids.map((id, index) => ({
              write: insertion(kind, full(owner, id)),
              reads: [absenceOf(sample, ids[1 - index] ?? "")]
            }))
            const stored = yield* Effect.forEach([anId(), anId()], (id) =>
              created(organisationId, kind, full(owner, id))
            )
            const changes = stored.map((one) => ({
              write: update(kind, one, plain(owner, idOf(one.record))),
              reads: stored.filter((other) => other !== one).map((other) => readOf(sample, other))
            }))
            for (const pair of [creations, changes]) {
              const outcomes = yield* Effect.forEach(
                pair,
                ({ reads, write }) => commit(organisationId, [write], { reads }),
                concurrently
              )
              assert.equal(outcomes.filter(isStale).length, 1, "stale commits")
              for (const [index, { write }] of pair.entries()) {
                const isWritten = outcomes[index]?._tag === "Committed"
                const expected = isWritten ? write.after : (write.before?.record ?? null)
                assert.deepEqual((yield* load(organisationId, kind, write.id))?.record ?? null, expected, "the record")
              }
            }
          })
        )
        yield* Effect.forEach(rounds, (round) => round, concurrently)
      })
    },
    {
      name: `orders a change that read a ${word} as absent before the concurrent creation of it`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const count = Math.min(20, ...kind.bounds.map(({ maximum }) => Math.floor((maximum - 1) / 2)))
        const pairs = Array.from({ length: count }, () => ({ id: anId(), reader: anId() }))
        const writes = pairs.flatMap(({ id, reader }, index) => {
          const steps = [
            commit(organisationId, [insertion(kind, full(owner, id))]),
            commit(organisationId, [insertion(kind, full(owner, reader))], { reads: [absenceOf(sample, id)] })
          ]
          return index % 2 === 0 ? steps : steps.toReversed()
        })
        yield* Effect.forEach(writes, (write) => write, concurrently)
        const subjects = (yield* storedEvents(organisationId)).map(({ subject }) => subject.id)
        for (const { id, reader } of pairs) {
          const [creation, reading] = [subjects.indexOf(id), subjects.indexOf(reader)]
          assert.ok(creation >= 0 && reading < creation, "a change that read the record as absent comes before it")
        }
      })
    }
  ]
}
