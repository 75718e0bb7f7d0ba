/**
 * Cases about unique members of one kind.
 */
import type { Stored } from "@solar-sites/core"
import { Effect } from "effect"
import { anId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { failed } from "./Expectations.ts"
import { insertOwner, type Owner } from "./RecordOwner.ts"
import type { KindSample } from "./RecordSamples.ts"
import {
  commit,
  committed,
  concurrently,
  created,
  find,
  idOf,
  insertion,
  load,
  loaded,
  type RecordsPorts,
  refused,
  removal,
  update,
  withMembers,
  wordOf
} from "./RecordsSetup.ts"

type Cases = ReadonlyArray<ConformanceCase<RecordsPorts>>

/** Cases about a member with a value that one record of an organisation alone has. */
export const uniqueCases = ({ full, kind, plain }: KindSample, member: string): Cases => {
  const subject = `${member} of a ${wordOf(kind)}`
  const textOf = ({ record }: Stored<object>) => String(Reflect.get(record, member))
  const valueFrom = (stored: Stored<object>) => ({ [member]: textOf(stored) })
  /** A record with a value, and one without. */
  const both = Effect.fnUntraced(function* (owner: Owner) {
    const having = yield* created(owner.organisationId, kind, full(owner, anId()))
    return { having, without: yield* created(owner.organisationId, kind, plain(owner, anId())) }
  })

  return [
    {
      name: `does nothing when the ${subject} is taken, and takes it in another organisation`,
      check: Effect.gen(function* () {
        const [owner, other] = [yield* insertOwner, yield* insertOwner]
        const { organisationId } = owner
        const { having, without } = yield* both(owner)
        const events = yield* storedEvents(organisationId)
        const again = withMembers(full(owner, anId()), valueFrom(having))
        yield* refused(organisationId, [insertion(kind, again)])
        yield* refused(organisationId, [insertion(kind, again), update(kind, without, {})])
        yield* refused(organisationId, [update(kind, without, valueFrom(having))])
        const free = { [member]: Reflect.get(full(owner, anId()), member) }
        yield* refused(
          organisationId,
          [anId(), anId()].map((id) => insertion(kind, withMembers(full(owner, id), free)))
        )
        assert.deepEqual(
          yield* find(organisationId, kind, [textOf(having)], member),
          [having],
          "the record of the value"
        )
        assert.deepEqual(yield* load(organisationId, kind, idOf(without.record)), without, "the record without a value")
        assert.equal(yield* load(organisationId, kind, idOf(again)), null, "no new record")
        assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
        yield* committed(organisationId, [update(kind, having, valueFrom(having))])
        const elsewhere = withMembers(full(other, anId()), valueFrom(having))
        yield* committed(other.organisationId, [insertion(kind, elsewhere)])
      })
    },
    {
      name: `takes the ${subject} that another one gave up before, or gives up in the same change`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        let { having, without } = yield* both(owner)
        const givenUp = { [member]: Reflect.get(plain(owner, anId()), member) }
        const value = valueFrom(having)
        const next = () => withMembers(plain(owner, anId()), value)
        const isOf = (id: string, promise: string) =>
          Effect.map(find(organisationId, kind, [String(value[member])], member), (found) => {
            const [stored] = found
            assert.ok(stored !== undefined && found.length === 1 && idOf(stored.record) === id, promise)
            return stored
          })
        yield* committed(organisationId, [removal(kind, having)])
        having = yield* created(organisationId, kind, next())
        yield* committed(organisationId, [update(kind, having, givenUp)])
        yield* committed(organisationId, [update(kind, without, value)])
        having = yield* isOf(idOf(without.record), "the value after it was given up")
        const [replacement, last] = [next(), next()]
        yield* committed(organisationId, [insertion(kind, replacement), removal(kind, having)])
        having = yield* isOf(idOf(replacement), "the value after a removal in the same change")
        yield* committed(organisationId, [insertion(kind, last), update(kind, having, givenUp)])
        yield* isOf(idOf(last), "the value after a change in the same change")
      })
    },
    {
      name: `commits one of ten concurrent changes that take the same ${subject}`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const value = { [member]: Reflect.get(full(owner, anId()), member) }
        const stored = yield* Effect.forEach(Array.from({ length: 5 }), () =>
          created(organisationId, kind, plain(owner, anId()))
        )
        const writes = stored.flatMap((one) => [
          update(kind, one, value),
          insertion(kind, withMembers(plain(owner, anId()), value))
        ])
        const outcomes = yield* Effect.forEach(writes, (write) => commit(organisationId, [write]), concurrently)
        const won = writes.filter((_, index) => outcomes[index]?._tag === "Committed").map(({ id }) => id)
        const found = yield* find(organisationId, kind, [String(value[member])], member)
        assert.equal(won.length, 1, "one commit")
        assert.deepEqual(
          found.map(({ record }) => idOf(record)),
          won,
          "its record"
        )
      })
    }
  ]
}

/** Cases about a member with a value that one record of all organisations alone has. */
export const generatedCases = ({ full, kind, plain }: KindSample, member: string): Cases => [
  {
    name: `fails, and stores nothing, when the ${member} of a new ${wordOf(kind)} is taken in any organisation`,
    check: Effect.gen(function* () {
      const [owner, other] = [yield* insertOwner, yield* insertOwner]
      const stored = yield* created(owner.organisationId, kind, full(owner, anId()))
      for (const one of [owner, other]) {
        const free = plain(one, anId())
        const taken = withMembers(plain(one, anId()), { [member]: Reflect.get(stored.record, member) })
        yield* failed(
          commit(one.organisationId, [insertion(kind, free), insertion(kind, taken)]),
          "a value that is taken"
        )
        assert.equal(yield* load(one.organisationId, kind, idOf(free)), null, "a record beside it")
      }
      assert.deepEqual(yield* loaded(owner.organisationId, kind, idOf(stored.record)), stored, "the first one")
    })
  }
]
