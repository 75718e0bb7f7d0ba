/**
 * Cases about the records of one kind: a loaded record has the members that were written.
 */
import { Effect } from "effect"
import { anId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { failed } from "./Expectations.ts"
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
  withMembers,
  wordOf
} from "./RecordsSetup.ts"
import { hostileTexts } from "./Setup.ts"

/** Members that no change of any kind sets. */
const fixedMembers = ["id", "organisationId", "createdAt"]

/** The members that changes set, in groups that are set together. */
const groupsOf = ({ fixed, kind, together }: KindSample, record: object): ReadonlyArray<ReadonlyArray<string>> => {
  const known = new Set([...fixedMembers, ...fixed, ...(kind.computed ?? []), ...together.flat()])
  return [
    ...together,
    ...Object.keys(record)
      .filter((member) => !known.has(member))
      .map((member) => [member])
  ]
}

const membersOf = (record: object, names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(record, name)]))

/** The record without members that the adapter computes. */
const written = ({ kind: { computed = [] } }: KindSample, record: object): object =>
  withMembers(record, Object.fromEntries(computed.map((member) => [member, null])))

export const memberCases = (sample: KindSample): ReadonlyArray<ConformanceCase<RecordsPorts>> => {
  const { full, kind, plain, texts } = sample
  const word = wordOf(kind)
  // A taken one is a bug, which fails.
  const isGenerated = kind.generated !== undefined
  const isEqual = (actual: object, expected: object, promise: string) =>
    assert.deepEqual(written(sample, actual), written(sample, expected), promise)

  return [
    {
      name: `stores every member of a new ${word}, alone or with others, with all and without optional members`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        for (const make of [full, plain]) {
          const alone = make(owner, anId())
          isEqual((yield* created(organisationId, kind, alone)).record, alone, "created alone")
        }
        const both = [full(owner, anId()), plain(owner, anId())]
        const writes = both.map((record) => insertion(kind, record))
        assert.deepEqual(yield* committed(organisationId, writes), [null, null], "no revision of a new record")
        for (const record of both) {
          isEqual((yield* loaded(organisationId, kind, idOf(record))).record, record, "created with another one")
        }
      })
    },
    {
      name: `changes every member of a ${word} in turn and all at once, and answers the revision`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const [first, last] = [full(owner, anId()), plain(owner, anId())]
        const groups = groupsOf(sample, first)
        const all = groups.flat()
        const same = all.filter(
          (name) => JSON.stringify(membersOf(first, [name])) === JSON.stringify(membersOf(last, [name]))
        )
        assert.deepEqual(same, [], "members that are equal in both samples")

        let stored = yield* created(organisationId, kind, first)
        for (const members of [...groups.map((names) => membersOf(last, names)), membersOf(first, all)]) {
          const expected = withMembers(stored.record, members)
          const [revision] = yield* committed(organisationId, [update(kind, stored, members)])
          const promise = `after a change of ${Object.keys(members)}`
          const before = stored
          stored = yield* loaded(organisationId, kind, idOf(first))
          isEqual(stored.record, expected, promise)
          assert.equal(stored.revision, revision, `the answered revision ${promise}`)
          assert.notEqual(stored.revision, before.revision, `another revision ${promise}`)
        }
      })
    },
    ...(texts.length === 0
      ? []
      : [
          {
            name: `stores texts of a ${word} as they are`,
            check: Effect.gen(function* () {
              const owner = yield* insertOwner
              const records = hostileTexts.map((text) =>
                withMembers(full(owner, anId()), Object.fromEntries(texts.map((member) => [member, text])))
              )
              yield* committed(
                owner.organisationId,
                records.map((record) => insertion(kind, record))
              )
              for (const record of records) {
                const stored = yield* loaded(owner.organisationId, kind, idOf(record))
                isEqual(stored.record, record, "a new record")
              }
            })
          }
        ]),
    {
      name: `removes a ${word}, and stores another one under its id`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const stored = yield* created(organisationId, kind, full(owner, anId()))
        const id = idOf(stored.record)
        const beside = yield* created(organisationId, kind, full(owner, anId()))
        assert.deepEqual(yield* committed(organisationId, [removal(kind, stored)]), [null], "no revision")
        assert.equal(yield* load(organisationId, kind, id), null, "the removed record")
        yield* refused(organisationId, [removal(kind, stored)])
        yield* refused(organisationId, [update(kind, stored, {})])
        const again = plain(owner, id)
        isEqual((yield* created(organisationId, kind, again)).record, again, "the new record")
        yield* refused(organisationId, [removal(kind, stored)])
        assert.deepEqual(yield* loaded(organisationId, kind, idOf(beside.record)), beside, "the record beside it")
      })
    },
    {
      name: `changes and removes a ${word} of the own organisation where another one has the same id`,
      check: Effect.gen(function* () {
        const [owner, other] = [yield* insertOwner, yield* insertOwner]
        const id = anId()
        const own = yield* created(owner.organisationId, kind, full(owner, id))
        assert.equal(yield* load(other.organisationId, kind, id), null, "a record of another organisation")
        yield* refused(other.organisationId, [removal(kind, own)])
        if (isGenerated) {
          yield* failed(commit(other.organisationId, [insertion(kind, plain(other, id))]), "a taken id")
          assert.deepEqual(yield* loaded(owner.organisationId, kind, id), own, "the own record")
          return
        }
        const foreign = yield* created(other.organisationId, kind, plain(other, id))
        const changes = membersOf(plain(owner, id), groupsOf(sample, own.record).flat())
        yield* committed(owner.organisationId, [update(kind, own, changes)])
        assert.deepEqual(yield* loaded(other.organisationId, kind, id), foreign, "after a change of the own record")
        const changed = yield* loaded(owner.organisationId, kind, id)
        isEqual(changed.record, withMembers(own.record, changes), "the own record")
        yield* committed(owner.organisationId, [removal(kind, changed)])
        assert.equal(yield* load(owner.organisationId, kind, id), null, "the own record, removed")
        assert.deepEqual(yield* loaded(other.organisationId, kind, id), foreign, "after the removal of the own record")
      })
    },
    {
      name: `does nothing when a ${word} has another revision, is absent, or is there already`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const [id, absent] = [anId(), anId()]
        const old = yield* created(organisationId, kind, full(owner, id))
        const changes = membersOf(plain(owner, id), groupsOf(sample, old.record).flat())
        yield* committed(organisationId, [update(kind, old, changes)])
        const current = yield* loaded(organisationId, kind, id)
        const events = yield* storedEvents(organisationId)
        for (const write of [
          update(kind, old, {}),
          removal(kind, old),
          update(kind, { ...current, record: plain(owner, absent) }, {}),
          removal(kind, { ...current, record: plain(owner, absent) }),
          ...(isGenerated ? [] : [insertion(kind, full(owner, id))])
        ]) {
          yield* refused(organisationId, [write])
        }
        assert.deepEqual(yield* find(organisationId, kind, [id, absent]), [current], "what is stored")
        assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
      })
    },
    {
      name: `commits one of twenty concurrent changes of a ${word}, and one of ten creations, each with its event alone`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const stored = yield* created(organisationId, kind, full(owner, anId()))
        const before = (yield* storedEvents(organisationId)).length
        const changes = membersOf(plain(owner, idOf(stored.record)), groupsOf(sample, stored.record).flat())
        const id = anId()
        const writes = [
          ...Array.from({ length: 20 }, () => update(kind, stored, changes)),
          ...Array.from({ length: isGenerated ? 1 : 10 }, () => insertion(kind, plain(owner, id)))
        ]
        const outcomes = yield* Effect.forEach(writes, (write) => commit(organisationId, [write]), concurrently)
        const won = writes.filter((_, index) => !isStale(outcomes[index] ?? { _tag: "none" })).map((write) => write.id)
        assert.deepEqual(won, [idOf(stored.record), id], "one commit of each")
        isEqual((yield* loaded(organisationId, kind, id)).record, plain(owner, id), "the new record")
        const subjects = (yield* storedEvents(organisationId)).slice(before).map(({ subject }) => subject.id)
        assert.deepEqual(subjects.toSorted(), won.toSorted(), "the events")
      })
    }
  ]
}
