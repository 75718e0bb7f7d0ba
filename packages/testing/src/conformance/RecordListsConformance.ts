/**
 * Cases about lists of the records of one kind.
 */
import {
  MaximumPageBytes,
  type OrganisationId,
  type Page,
  type PageRequest,
  Records,
  type RepositoryError
} from "@solar-sites/core"
import { Effect } from "effect"
import { anId, anOrganisationId } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expectPages } from "./Expectations.ts"
import { insertOwner, parents } from "./RecordOwner.ts"
import type { KindSample } from "./RecordSamples.ts"
import { committed, find, idOf, insertion, type RecordsPorts, withMembers, wordOf } from "./RecordsSetup.ts"

interface Listed {
  readonly id: string
}

const first = { after: null, limit: 10 }
const nothing = { items: [], hasMore: false }

/** All records have an id. */
const asListed = (record: object) => record as Listed

export const listCases = ({ full, kind, plain }: KindSample): ReadonlyArray<ConformanceCase<RecordsPorts>> => {
  const list = (
    organisationId: OrganisationId,
    page: PageRequest<string>,
    of?: { readonly member: string; readonly value: string }
  ): Effect.Effect<Page<Listed>, RepositoryError, Records> =>
    Effect.map(
      Records.use((records) => records.list("Records.list", organisationId, kind, { page, ...(of && { of }) })),
      ({ hasMore, items }) => ({ hasMore, items: items.map(asListed) })
    )

  /**
   * Stores records, the one with the greatest id first, and returns them as they are loaded, by id, together with
   * those that the owner has.
   */
  const store = Effect.fnUntraced(function* (organisationId: OrganisationId, records: ReadonlyArray<object>) {
    const { items } = yield* list(organisationId, first)
    for (const record of records.toReversed()) yield* committed(organisationId, [insertion(kind, record)])
    const stored = yield* find(organisationId, kind, records.map(idOf))
    const all = [...items, ...stored.map(({ record }) => asListed(record))]
    return all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  })

  return [
    {
      name: `lists each ${wordOf(kind)} of the own organisation in ascending order of id, in pages of any size`,
      check: Effect.gen(function* () {
        const [owner, other] = [yield* insertOwner, yield* insertOwner]
        const { organisationId } = owner
        const ids = [anId(), anId(), anId(), anId(), anId()]
        const stored = yield* store(
          organisationId,
          ids.map((id, index) => (index % 2 === 0 ? full(owner, id) : plain(owner, id)))
        )
        const foreign = yield* store(other.organisationId, [
          plain(other, (kind.generated ? undefined : ids[2]) ?? anId()),
          plain(other, anId())
        ])
        yield* expectPages((page) => list(organisationId, page), stored)
        yield* expectPages((page) => list(other.organisationId, page), foreign)
        assert.deepEqual(yield* list(anOrganisationId(), first), nothing)
        const whole = list(organisationId, { after: null, limit: 1_000 })
        const { hasMore, items } = yield* Effect.provideService(whole, MaximumPageBytes, 1)
        assert.deepEqual({ hasMore, items }, { hasMore: true, items: stored.slice(0, 1) }, "a page of few bytes")
      })
    },
    ...kind.references
      .filter((reference) => reference.kind !== "organisation")
      .map((reference) => ({
        name: `lists each ${wordOf(kind)} of one ${reference.kind} alone`,
        check: Effect.gen(function* () {
          const [owner, other] = [yield* insertOwner, yield* insertOwner]
          const { organisationId } = owner
          const insert = parents[reference.kind]?.store
          assert.ok(insert !== undefined, "a way to store a record that is referred to")
          const { member } = reference
          const value = yield* insert(organisationId)
          const ofParent = (id: string) => withMembers(full(owner, id), { [member]: value })
          const all = yield* store(organisationId, [ofParent(anId()), full(owner, anId()), ofParent(anId())])
          const stored = all.filter((record) => Reflect.get(record, member) === value)
          yield* expectPages((page) => list(organisationId, page, { member, value }), stored)
          assert.deepEqual(yield* list(organisationId, first, { member, value: anId() }), nothing)
          assert.deepEqual(yield* list(other.organisationId, first, { member, value }), nothing)
        })
      }))
  ]
}
