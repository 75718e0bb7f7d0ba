/**
 * Cases about a bound of one kind: at most so many records of an organisation hold.
 */
import { type Bound, Records, type Stored } from "@solar-sites/core"
import { Effect } from "effect"
import { anId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { insertOwner, type Owner } from "./RecordOwner.ts"
import type { KindSample } from "./RecordSamples.ts"
import {
  anEvent,
  commit,
  committed,
  concurrently,
  created,
  find,
  idOf,
  insertion,
  isStale,
  loaded,
  type RecordsPorts,
  removal,
  update
} from "./RecordsSetup.ts"
import { changedAt } from "./Setup.ts"

const callers = 50

/** Cases about a bound. `Bound<never>`: the samples are records of the kind. */
export const boundCases = (
  { full, kind, plain }: KindSample,
  { holds, maximum, name }: Bound<never>
): ReadonlyArray<ConformanceCase<RecordsPorts>> => {
  /** The number of records that the owner has, and that hold. */
  const countOf = Effect.fnUntraced(function* ({ organisationId }: Owner) {
    const options = { page: { after: null, limit: 1_000 } }
    const { items } = yield* (yield* Records).list("Records.list", organisationId, kind, options)
    return items.filter((record) => holds(record as never, changedAt)).length
  })
  const makers = (owner: Owner) => {
    const isHolding = (make: KindSample["full"]) => holds(make(owner, anId()) as never, changedAt)
    const holding = [full, plain].find(isHolding)
    assert.ok(holding !== undefined, `a sample of a ${kind.name} that holds in ${name}`)
    return { holding, other: [full, plain].find((make) => !isHolding(make)) }
  }
  const isFull = Effect.fnUntraced(function* ({ organisationId }: Owner) {
    const options = { bounds: { kind, at: changedAt } }
    return (yield* (yield* Records).load("Records", organisationId, [], options)).isFull(name)
  })

  return [
    {
      name: `lets at most ${maximum} records of an organisation hold in ${name}, among concurrent creations and changes`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const { holding, other } = makers(owner)
        const isRefused = Effect.fnUntraced(function* (...given: Parameters<typeof commit>) {
          const outcome = yield* commit(...given)
          assert.equal(isStale(outcome) ? outcome.full : "committed", name, "the bound that is full")
        })

        const free = maximum - (yield* countOf(owner))
        const room = Math.min(free, callers / 2)
        const before = Array.from({ length: free - room }, () => insertion(kind, holding(owner, anId())))
        if (before.length > 0) yield* committed(organisationId, before, { events: [anEvent(organisationId)] })
        const idle: Array<Stored<object>> = []
        if (other !== undefined) {
          for (let index = 0; index < 10; index++) idle.push(yield* created(organisationId, kind, other(owner, anId())))
        }
        assert.equal(yield* isFull(owner), false, "full before the last records")
        const events = (yield* storedEvents(organisationId)).length
        const writes = Array.from({ length: callers }, (_, index) => {
          const one = idle[index]
          return one === undefined
            ? insertion(kind, holding(owner, anId()))
            : update(kind, one, holding(owner, idOf(one.record)))
        })
        const outcomes = yield* Effect.forEach(writes, (write) => commit(organisationId, [write]), concurrently)
        const lost = outcomes.filter(isStale)
        assert.equal(outcomes.length - lost.length, room, "commits")
        assert.deepEqual([...new Set(lost.map((outcome) => outcome.full))], [name], "the bound of stale commits")
        assert.equal((yield* storedEvents(organisationId)).length, events + room, "events")
        const found = yield* find(
          organisationId,
          kind,
          writes.map(({ id }) => id)
        )
        const now = found.filter(({ record }) => holds(record as never, changedAt))
        assert.equal(now.length, room, "records that hold")
        assert.equal(yield* isFull(owner), true, "full after the last record")
        const elsewhere = yield* insertOwner
        yield* committed(elsewhere.organisationId, [insertion(kind, holding(elsewhere, anId()))])
        assert.equal(yield* isFull(elsewhere), false, "another organisation is full")

        const [one] = now
        assert.ok(one !== undefined, "a record that holds")
        yield* isRefused(organisationId, [insertion(kind, holding(owner, anId()))])
        if (other !== undefined) {
          const further = yield* created(organisationId, kind, other(owner, anId()))
          yield* isRefused(organisationId, [update(kind, further, holding(owner, idOf(further.record)))])
        }
        const replacement = holding(owner, anId())
        yield* committed(organisationId, [insertion(kind, replacement), removal(kind, one)])
        let last = yield* loaded(organisationId, kind, idOf(replacement))
        yield* committed(organisationId, [update(kind, last, {})])
        yield* isRefused(organisationId, [insertion(kind, holding(owner, anId()))])
        last = yield* loaded(organisationId, kind, idOf(replacement))
        if (other === undefined) yield* committed(organisationId, [removal(kind, last)])
        else {
          yield* committed(organisationId, [update(kind, last, other(owner, idOf(replacement)))])
          yield* committed(organisationId, [insertion(kind, other(owner, anId()))])
        }
        yield* committed(organisationId, [insertion(kind, holding(owner, anId()))])
        yield* isRefused(organisationId, [insertion(kind, holding(owner, anId()))])
      })
    }
  ]
}
