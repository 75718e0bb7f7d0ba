/**
 * Cases about references of one kind to others.
 */
import type { AnyKind, Reference, Stored } from "@solar-sites/core"
import { OrganisationRepository } from "@solar-sites/core"
import { Effect } from "effect"
import { anId, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { insertOwner, parents } from "./RecordOwner.ts"
import { type KindSample, recordSamples } from "./RecordSamples.ts"
import {
  commit,
  committed,
  concurrently,
  created,
  existenceOf,
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
import { insertOrganisation } from "./Setup.ts"

type Cases = ReadonlyArray<ConformanceCase<RecordsPorts>>

const inOrganisation = ({ full, kind }: KindSample): Cases => [
  {
    name: `stores no ${wordOf(kind)} in an organisation that is missing or was removed`,
    check: Effect.gen(function* () {
      const owner = yield* insertOwner
      const removed = yield* insertOrganisation()
      yield* OrganisationRepository.use((organisations) => organisations.delete(removed))
      for (const organisationId of [anOrganisationId(), removed]) {
        const references = Object.fromEntries(
          kind.references.map((reference) => [
            reference.member,
            reference.kind === "organisation" ? organisationId : null
          ])
        )
        const record = withMembers(full(owner, anId()), references)
        yield* refused(organisationId, [insertion(kind, record)])
        assert.equal(yield* load(organisationId, kind, idOf(record)), null, "no record")
      }
    })
  }
]

const removalOfParent = ({ full, kind }: KindSample, member: string, parentKind: AnyKind): Cases[number] => ({
  name: `removes no ${wordOf(parentKind)} that a ${wordOf(kind)} refers to after the change`,
  check: Effect.gen(function* () {
    const owner = yield* insertOwner
    const { organisationId } = owner
    const store = parents[parentKind.name]?.store
    assert.ok(store !== undefined, "a way to store a record that is referred to")
    const [parent, free] = yield* Effect.forEach([store, store], (insert) =>
      Effect.flatMap(insert(organisationId), (id) => loaded(organisationId, parentKind, id))
    )
    assert.ok(parent && free, "stored records")
    const referringTo = (one: Stored<object>) => withMembers(full(owner, anId()), { [member]: idOf(one.record) })
    const stored = yield* created(organisationId, kind, referringTo(parent))
    const late = referringTo(free)
    yield* refused(organisationId, [removal(parentKind, parent)])
    yield* refused(organisationId, [removal(parentKind, free), insertion(kind, late)])
    for (const { record, revision } of [parent, free]) {
      const kept = yield* load(organisationId, parentKind, idOf(record))
      assert.equal(kept?.revision, revision, "a record that is kept, as it was")
    }
    assert.equal(yield* load(organisationId, kind, idOf(late)), null, "no reference to a removed record")
    yield* committed(organisationId, [removal(parentKind, parent), removal(kind, stored)])
    yield* committed(organisationId, [removal(parentKind, free)])
  })
})

const removalWithParent = ({ full, kind }: KindSample, member: string, parentKind: AnyKind): Cases[number] => ({
  name: `removes each ${wordOf(kind)} with the ${wordOf(parentKind)} that it refers to`,
  check: Effect.gen(function* () {
    const [owner, other] = [yield* insertOwner, yield* insertOwner]
    const { organisationId } = owner
    const store = parents[parentKind.name]?.store
    assert.ok(store !== undefined, "a way to store a record that is referred to")
    const parent = yield* loaded(organisationId, parentKind, yield* store(organisationId))
    const kept = yield* created(organisationId, kind, full(owner, anId()))
    const foreign = yield* created(other.organisationId, kind, full(other, idOf(kept.record)))
    const referring = () => withMembers(full(owner, anId()), { [member]: idOf(parent.record) })
    const gone = [referring(), referring()]
    yield* committed(
      organisationId,
      gone.map((record) => insertion(kind, record))
    )
    yield* committed(organisationId, [removal(parentKind, parent)])
    assert.deepEqual(yield* find(organisationId, kind, gone.map(idOf)), [], "records that refer to it")
    assert.deepEqual(yield* loaded(organisationId, kind, idOf(kept.record)), kept, "a record of another one")
    assert.deepEqual(yield* loaded(other.organisationId, kind, idOf(kept.record)), foreign, "a foreign record")
    yield* refused(organisationId, [insertion(kind, referring())])
  })
})

/** Cases about a member that names a record which exists. */
export const referenceCases = (sample: KindSample, { cascade, kind: parentKind, member }: Reference): Cases => {
  if (parentKind === "organisation") return inOrganisation(sample)
  const { full, kind } = sample
  const parent = parents[parentKind]
  if (parent === undefined) throw new Error(`no sample of ${parentKind}, which ${kind.name} refers to`)
  const parentSample = recordSamples.find((one) => one.kind.name === parentKind)
  return [
    ...(parentSample === undefined
      ? []
      : [(cascade ? removalWithParent : removalOfParent)(sample, member, parentSample.kind)]),
    {
      name: `stores and changes no ${wordOf(kind)} when the ${parentKind} that it refers to is missing or was removed`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        const other = yield* insertOwner
        const stored = yield* created(organisationId, kind, full(owner, anId()))
        const removed = yield* parent.store(organisationId)
        yield* parent.remove(organisationId, removed)
        const foreign = yield* parent.store(other.organisationId)
        const events = yield* storedEvents(organisationId)
        for (const missing of [anId(), removed, foreign]) {
          const record = withMembers(full(owner, anId()), { [member]: missing })
          yield* refused(organisationId, [insertion(kind, record)])
          yield* refused(organisationId, [update(kind, stored, { [member]: missing })])
          yield* refused(organisationId, [insertion(kind, record), update(kind, stored, {})])
          assert.equal(yield* load(organisationId, kind, idOf(record)), null, "no record")
        }
        assert.deepEqual(yield* load(organisationId, kind, idOf(stored.record)), stored, "the stored record")
        assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
      })
    },
    {
      name: `leaves no ${wordOf(kind)} behind when the ${parentKind} that it refers to is removed at the same time`,
      check: Effect.gen(function* () {
        const owner = yield* insertOwner
        const { organisationId } = owner
        for (const alone of [true, false]) {
          const id = yield* parent.store(organisationId)
          const beside = yield* created(organisationId, kind, full(owner, anId()))
          const records = Array.from({ length: 10 }, () => withMembers(full(owner, anId()), { [member]: id }))
          const commits = records.map((record, index) =>
            commit(organisationId, [insertion(kind, record), ...(alone || index > 0 ? [] : [update(kind, beside, {})])])
          )
          const removing = Effect.ignore(parent.remove(organisationId, id))
          yield* Effect.all([...commits.slice(0, 5), removing, ...commits.slice(5)], concurrently)
          const isThere = (yield* find(organisationId, existenceOf(parentKind), [id])).length > 0
          const stored = yield* find(organisationId, kind, records.map(idOf))
          const left = stored.filter(({ record }) => Reflect.get(record, member) === id)
          assert.ok(isThere || left.length === 0, `${left.length} records refer to a missing ${parentKind}`)
        }
      })
    }
  ]
}
