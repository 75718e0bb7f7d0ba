/**
 * Cases about the list of requirements and its entries. An organisation has one list, and its entries have numbers
 * as ids, so they are no samples of `RecordSamples.ts`.
 */
import {
  type DocumentRequirement,
  type OrganisationId,
  Records,
  RequirementListRecord,
  requirementKind,
  requirementListKind,
  requirementRecords,
  type Write
} from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import {
  anEvent,
  commit,
  concurrently,
  insertion,
  isStale,
  type RecordsPorts,
  removal,
  update
} from "./RecordsSetup.ts"
import { mixedRequirements } from "./RequirementSetup.ts"
import { changedAt, insertOrganisation, insertPortfolio } from "./Setup.ts"

const load = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const found = yield* (yield* Records).load("Records", organisationId, [
    { kind: requirementListKind, by: "id", values: [organisationId] },
    { kind: requirementKind, by: "listId", values: [organisationId] }
  ])
  const entries = found.all(requirementKind, "listId", organisationId)
  return {
    list: found.byId(requirementListKind, organisationId),
    entries: entries.toSorted((a, b) => a.record.position - b.record.position)
  }
})

/** Commits writes with one event about the list. */
const write = (organisationId: OrganisationId, writes: ReadonlyArray<Write>) =>
  commit(organisationId, writes, { events: [anEvent(organisationId)] })

const creation = (organisationId: OrganisationId, requirements: ReadonlyArray<DocumentRequirement>) => [
  insertion(requirementListKind, new RequirementListRecord({ id: organisationId, version: 1, updatedAt: changedAt })),
  ...requirementRecords(organisationId, requirements).map((entry) => insertion(requirementKind, entry))
]

const created = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  requirements: ReadonlyArray<DocumentRequirement>
) {
  assert.equal((yield* write(organisationId, creation(organisationId, requirements)))._tag, "Committed")
  const { entries, list } = yield* load(organisationId)
  assert.ok(list !== null, "a stored list")
  return { entries, list }
})

const recordsOf = (stored: Effect.Success<ReturnType<typeof load>>) => ({
  list: stored.list && { ...stored.list.record },
  entries: stored.entries.map(({ record }) => ({ ...record }))
})

export const requirementRecordsCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "stores a list of requirements with its entries, and changes, adds and removes entries with it",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id } = yield* insertPortfolio(organisationId)
      const requirements = Array.from({ length: 12 }, (_, index) => aRequirement({ expiringWithinDays: index + 1 }))
      const { entries, list } = yield* created(organisationId, requirements)
      const expected = requirementRecords(organisationId, requirements)
      assert.deepEqual(
        entries.map(({ record }) => ({ ...record })),
        expected.map((record) => ({ ...record })),
        "the entries"
      )
      const [first, second, ...others] = entries
      assert.ok(first && second, "two entries")
      const members = { documentType: "epc", portfolioId: id, validityRequired: true, expiringWithinDays: 365 }
      const added = { ...second.record, id: "40", position: 40 }
      const writes = [
        update(requirementListKind, list, { version: 2 }),
        update(requirementKind, first, members),
        insertion(requirementKind, added),
        ...others.map((entry) => removal(requirementKind, entry))
      ]
      assert.equal((yield* write(organisationId, writes))._tag, "Committed")
      assert.deepEqual(recordsOf(yield* load(organisationId)), {
        list: { ...list.record, version: 2 },
        entries: [{ ...first.record, ...members }, { ...second.record }, added]
      })
    })
  },
  {
    name: "changes no entry with a list of another revision, of a missing portfolio, or of another organisation",
    check: Effect.gen(function* () {
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const { entries, list } = yield* created(organisationId, mixedRequirements())
      yield* created(other, mixedRequirements().slice(1))
      const [entry] = entries
      assert.ok(entry, "an entry")
      const { id: foreign } = yield* insertPortfolio(other)
      const change = (members: Partial<DocumentRequirement>) => [
        update(requirementListKind, list, { version: 2 }),
        update(requirementKind, entry, members)
      ]
      for (const portfolioId of [aPortfolio().id, foreign]) {
        assert.ok(isStale(yield* write(organisationId, change({ portfolioId }))), "a portfolio that is not there")
      }
      const before = [yield* load(organisationId), yield* load(other)]
      assert.equal((yield* write(organisationId, change({ expiringWithinDays: 7 })))._tag, "Committed")
      const after = yield* load(organisationId)
      const events = yield* storedEvents(organisationId)
      assert.ok(isStale(yield* write(organisationId, change({ expiringWithinDays: 8 }))), "a list as it was before")
      assert.deepEqual(yield* load(organisationId), after, "the list after a stale change")
      assert.deepEqual(yield* load(other), before[1], "the list of the other organisation")
      assert.equal(after.entries[0]?.record.expiringWithinDays, 7, "the changed entry")
      assert.deepEqual(yield* storedEvents(organisationId), events, "the events")
    })
  },
  {
    name: "commits one of ten concurrent changes of a list with its entries, as a whole",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const lists = Array.from({ length: 10 }, (_, days) =>
        Array.from({ length: 1 + days }, () => aRequirement({ expiringWithinDays: 1 + days }))
      )
      const outcomes = yield* Effect.forEach(
        lists,
        (requirements) => write(organisationId, creation(organisationId, requirements)),
        concurrently
      )
      const won = lists.filter((_, index) => outcomes[index]?._tag === "Committed")
      const { entries } = yield* load(organisationId)
      assert.deepEqual(
        won.map((requirements) => requirementRecords(organisationId, requirements).map((record) => ({ ...record }))),
        [entries.map(({ record }) => ({ ...record }))],
        "one list, whole"
      )
    })
  }
]
