/**
 * Cases about loads: what finds name, in one snapshot, of the own organisation alone.
 */
import { type DocumentId, documentKind, Records, type Site, siteKind } from "@solar-sites/core"
import { Effect } from "effect"
import { anId, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { storedEvents } from "./EventSetup.ts"
import { insertOwner, type Owner } from "./RecordOwner.ts"
import { recordSamples } from "./RecordSamples.ts"
import {
  besides,
  committed,
  concurrently,
  created,
  existenceOf,
  find,
  idOf,
  insertion,
  type RecordsPorts,
  update,
  withMembers
} from "./RecordsSetup.ts"
import { insertOrganisation } from "./Setup.ts"

const operation = "Records"
const documents = recordSamples.find(({ kind }) => kind === documentKind)

/** A new document that names another one in `replaces`. */
const aSuccessor = (owner: Owner, replaces: string | null): object => {
  const record = documents?.full(owner, anId())
  return withMembers(record ?? {}, { replaces })
}

export const loadCases: ReadonlyArray<ConformanceCase<RecordsPorts>> = [
  {
    name: "loads records by id and by unique member, and null where none is",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const texts = ["null", "NULL", "{}", "a,b", `"`, "\\", "'"]
      const stored = yield* Effect.forEach(texts, (externalId) =>
        created(organisationId, siteKind, aSite({ organisationId, externalId } as Partial<Site>))
      )
      const absent = aSite()
      const ids = stored.map(({ record }) => idOf(record))
      const found = yield* (yield* Records).load(operation, organisationId, [
        { kind: siteKind, by: "id", values: [...ids, absent.id] },
        { kind: siteKind, by: "externalId", values: [...texts, "Null", ""] },
        { kind: siteKind, by: "id", values: [] },
        { kind: existenceOf("organisation"), by: "id", values: [organisationId, absent.id] }
      ])
      for (const [index, one] of stored.entries()) {
        assert.deepEqual(found.byId(siteKind, idOf(one.record)), one, "the site by id")
        assert.deepEqual(found.by(siteKind, "externalId", texts[index] ?? ""), one, "the site by external id")
      }
      assert.equal(found.byId(siteKind, absent.id), null, "an absent id")
      assert.equal(found.byId(siteKind, null), null, "no id")
      for (const text of ["Null", "", null])
        assert.equal(found.by(siteKind, "externalId", text), null, "no external id")
      assert.equal(found.answers[2]?.stored.length, 0, "records of no id")
      assert.deepEqual(
        found.answers[3]?.stored.map(({ record }) => idOf(record)),
        [organisationId],
        "existence"
      )
    })
  },
  {
    name: "fails a load of more bytes than its find allows, and answers one of fewer",
    check: Effect.gen(function* () {
      const owner = yield* insertOwner
      const first = yield* created(owner.organisationId, documentKind, aSuccessor(owner, null))
      const replaces = idOf(first.record)
      for (let index = 0; index < 3; index++) {
        yield* created(owner.organisationId, documentKind, aSuccessor(owner, replaces))
      }
      const { load } = yield* Records
      const loaded = (maximumBytes: number) =>
        load(operation, owner.organisationId, [
          { kind: documentKind, by: "id", values: [replaces] },
          { kind: documentKind, by: "replaces", values: [replaces], maximumBytes }
        ])
      const found = yield* loaded(30_000)
      assert.equal(found.all(documentKind, "replaces", replaces).length, 3, "records within the limit")
      assert.equal(found.byId(documentKind, replaces)?.record.id, replaces, "the record of the other find")
      const error = yield* Effect.flip(loaded(500))
      assert.equal(error.retryable, false, "the failure comes again")
    })
  },
  {
    name: "loads all records with one value of a member, and those that members of other records name",
    check: Effect.gen(function* () {
      const [owner, other] = [yield* insertOwner, yield* insertOwner]
      const { organisationId, siteId } = owner
      const first = yield* created(organisationId, documentKind, aSuccessor(owner, null))
      const id = idOf(first.record)
      const successors = yield* Effect.forEach([id, id, anId(), null], (replaces) =>
        created(organisationId, documentKind, aSuccessor(owner, replaces))
      )
      yield* created(other.organisationId, documentKind, aSuccessor(other, id))
      const [second, third] = successors
      assert.ok(second && third, "successors")
      const byId = (value: string) => ({ kind: documentKind, by: "id", values: [value] })
      const found = yield* (yield* Records).load(operation, organisationId, [
        { kind: documentKind, by: "replaces", values: [id] },
        { kind: documentKind, by: "id", values: { of: byId(idOf(second.record)), member: "replaces" } },
        { kind: siteKind, by: "id", values: { of: byId(id), member: "siteId" } },
        { kind: documentKind, by: "id", values: { of: byId(id), member: "replaces" } }
      ])
      const expected = [second, third].toSorted((a, b) => (idOf(a.record) < idOf(b.record) ? -1 : 1))
      assert.deepEqual(found.all(documentKind, "replaces", id as DocumentId), expected, "records of one value")
      assert.deepEqual(found.answers[1]?.stored, [first], "the record that a member names")
      assert.deepEqual(
        found.answers[2]?.stored,
        yield* find(organisationId, siteKind, [siteId]),
        "the site of a document"
      )
      assert.deepEqual(found.answers[3]?.stored, [], "the record that null names")
      const foreign = yield* (yield* Records).load(operation, other.organisationId, [
        { kind: siteKind, by: "id", values: { of: byId(id), member: "siteId" } },
        { kind: siteKind, by: "id", values: [siteId] }
      ])
      assert.deepEqual(
        foreign.answers.flatMap(({ stored }) => stored),
        [],
        "records of another organisation"
      )
    })
  },
  {
    name: "loads the sequence of the last event with the records",
    check: Effect.gen(function* () {
      const { load } = yield* Records
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      const sequenceOf = (owner: typeof organisationId, id = anId()) =>
        load(operation, owner, [{ kind: siteKind, by: "id", values: [id] }], { lastSequence: true })
      assert.equal((yield* sequenceOf(organisationId)).lastSequence, 0, "the sequence without an event")
      const { record } = yield* created(organisationId, siteKind, aSite({ organisationId }))
      yield* created(organisationId, siteKind, aSite({ organisationId }))
      const last = (yield* storedEvents(organisationId)).at(-1)?.sequence
      const found = yield* Effect.forEach(
        [organisationId, other, organisationId],
        (owner) => sequenceOf(owner, idOf(record)),
        concurrently
      )
      assert.deepEqual(
        found.map(({ lastSequence }) => lastSequence),
        [last, 0, last],
        "the sequences"
      )
      assert.deepEqual(
        found.map(({ answers }) => answers[0]?.stored.length),
        [1, 0, 1],
        "the records"
      )
    })
  },
  {
    name: "answers each of fifty concurrent loads with its own records",
    check: Effect.gen(function* () {
      const { load } = yield* Records
      const [owner, other] = [yield* insertOwner, yield* insertOwner]
      const owners = [owner, owner, other]
      const stored = yield* Effect.forEach(
        Array.from({ length: 50 }),
        (_, index) => {
          const of = owners[index % 3] ?? owner
          const record = aSuccessor(of, anId())
          return Effect.map(created(of.organisationId, documentKind, record), (one) => ({ of, one }))
        },
        concurrently
      )
      const loads = stored.map(({ of: { organisationId }, one: { record } }, index) => {
        const value = (by: string) => [String(Reflect.get(record, by))]
        return load(operation, organisationId, [
          {
            kind: documentKind,
            by: index % 2 === 0 ? "id" : "replaces",
            values: value(index % 2 === 0 ? "id" : "replaces")
          },
          { kind: siteKind, by: "id", values: index % 4 === 0 ? [] : value("siteId") },
          { kind: documentKind, by: "id", values: [anId()] }
        ])
      })
      const found = yield* Effect.forEach(loads, (one) => one, concurrently)
      for (const [index, { answers }] of found.entries()) {
        assert.deepEqual(answers[0]?.stored, [stored[index]?.one], "the own document")
        assert.equal(answers[1]?.stored.length, index % 4 === 0 ? 0 : 1, "the own site")
        assert.deepEqual(answers[2]?.stored, [], "no record")
      }
    })
  },
  {
    name: "loads all records of a call as they are at one instant, with the sequence",
    check: Effect.gen(function* () {
      const { load } = yield* Records
      const owner = yield* insertOwner
      const { organisationId } = owner
      const [site, document] = [
        aSite({ organisationId, version: 1 }),
        withMembers(aSuccessor(owner, null), { version: 1 })
      ]
      yield* committed(organisationId, [insertion(siteKind, site), insertion(documentKind, document)])
      const loading = load(
        operation,
        organisationId,
        [
          { kind: siteKind, by: "id", values: [site.id] },
          { kind: documentKind, by: "id", values: [idOf(document)] }
        ],
        { lastSequence: true }
      )
      const first = yield* loading
      const writing = Effect.gen(function* () {
        for (let version = 2; version <= 15; version++) {
          const { answers } = yield* loading
          const writes = answers.flatMap(({ find: { kind }, stored }) =>
            stored.map((one) => update(kind, one, { version }))
          )
          yield* committed(organisationId, writes)
        }
      })
      const checking = Effect.gen(function* () {
        const { answers, lastSequence } = yield* loading
        const versions = answers.flatMap(({ stored }) =>
          stored.map(({ record }) => Number(Reflect.get(record, "version")))
        )
        const [version = 0] = versions
        assert.deepEqual(versions, [version, version], "the versions of both records")
        assert.equal(lastSequence, first.lastSequence + 2 * (version - 1), "the sequence")
      })
      yield* besides(writing, checking)
    })
  }
]
