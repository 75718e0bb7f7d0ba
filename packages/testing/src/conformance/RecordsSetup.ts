/**
 * Setup of the cases about stored records: changes of any kind, made without rules.
 */
import {
  type AnyKind,
  type Change,
  type NewEvent,
  type OrganisationId,
  Records,
  recordKind,
  Stale,
  type Stored,
  type Write
} from "@solar-sites/core"
import { Effect, Fiber, Schema } from "effect"
import { assert } from "./Assert.ts"
import type { EventPorts } from "./EventSetup.ts"
import { changedAt, originIn } from "./Setup.ts"

/** Ports of the cases about records. */
export type RecordsPorts = Records | EventPorts

const operation = "Records"

export const concurrently = { concurrency: "unbounded" } as const

/** An event that a feed shows under a name. */
export const anEvent = (subjectId: string, subjectName = "An event"): NewEvent => ({
  type: "site.updated",
  subjectId,
  subjectName,
  siteId: null,
  changes: {}
})

export const idOf = (record: object): string => String(Reflect.get(record, "id"))

/** The same record, with other members. */
export const withMembers = <R extends object>(record: R, members: object): R =>
  Object.assign(Object.create(Object.getPrototypeOf(record)), record, members)

/** The write of a new record. */
export const insertion = (kind: AnyKind, after: object): Write => ({ kind, id: idOf(after), before: null, after })

/** The write that gives a stored record these members. */
export const update = (kind: AnyKind, before: Stored<object>, members: object): Write => ({
  kind,
  id: idOf(before.record),
  before,
  after: withMembers(before.record, members)
})

export const removal = (kind: AnyKind, before: Stored<object>): Write => ({
  kind,
  id: idOf(before.record),
  before,
  after: null
})

/** Commits writes, by default without reads and with one event per write. */
export const commit = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  writes: ReadonlyArray<Write>,
  {
    events = writes.map(({ id }) => anEvent(id)),
    reads = []
  }: { readonly reads?: Change["reads"]; readonly events?: Change["events"] } = {}
) {
  const origin = yield* originIn(organisationId)
  return yield* (yield* Records).commit(operation, organisationId, { writes, reads, events, origin, at: changedAt })
})

/** Commits writes that nothing stands against. Returns the revisions of changed records. */
export const committed = Effect.fnUntraced(function* (...given: Parameters<typeof commit>) {
  const outcome = yield* commit(...given)
  if (outcome._tag === "Committed") return outcome.revisions
  assert.equal(outcome.conflict, null, "what stands against the commit")
  return []
})

/** Expects that a commit is stale. */
export const refused = Effect.fnUntraced(function* (...given: Parameters<typeof commit>) {
  const outcome = yield* commit(...given)
  assert.ok(isStale(outcome), `stale instead of ${outcome._tag}`)
})

export const isStale = (outcome: { readonly _tag: string }): outcome is Stale => outcome instanceof Stale

/** The answer to one find. */
export const find = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  kind: AnyKind,
  values: ReadonlyArray<string>,
  by: string = "id"
) {
  const found = yield* (yield* Records).load(operation, organisationId, [{ kind, by, values }])
  return found.answers[0]?.stored ?? []
})

/** The stored record with its revision, or null. */
export const load = (organisationId: OrganisationId, kind: AnyKind, id: string) =>
  Effect.map(find(organisationId, kind, [id]), ([stored]) => stored ?? null)

/** The stored record, which is there. */
export const loaded = Effect.fnUntraced(function* (organisationId: OrganisationId, kind: AnyKind, id: string) {
  const stored = yield* load(organisationId, kind, id)
  assert.ok(stored !== null, `a stored ${kind.name}`)
  return stored
})

/** Commits a new record and loads it. */
export const created = Effect.fnUntraced(function* (organisationId: OrganisationId, kind: AnyKind, record: object) {
  yield* committed(organisationId, [insertion(kind, record)])
  return yield* loaded(organisationId, kind, idOf(record))
})

/** A kind of which only the existence is read. */
export const existenceOf = (name: string): AnyKind =>
  recordKind(name, Schema.Struct({ id: Schema.String }), { isExistence: true })

/** The name of a kind within a sentence. */
export const wordOf = ({ name }: AnyKind): string => name.replaceAll("_", " ")

/** Repeats a step while the work runs, and once more after it. */
export const besides = Effect.fnUntraced(function* <E, R, Other, Needs>(
  work: Effect.Effect<unknown, E, R>,
  step: Effect.Effect<unknown, Other, Needs>
) {
  let isDone = false
  const end = Effect.sync(() => {
    isDone = true
  })
  const worker = yield* Effect.forkChild(Effect.ensuring(work, end))
  while (true) {
    const isLast = isDone
    yield* step
    if (isLast) return yield* Fiber.join(worker)
    yield* Effect.yieldNow
  }
})
