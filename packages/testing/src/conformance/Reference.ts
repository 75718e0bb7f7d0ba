/**
 * Comparison of an adapter with the reference: the functions of core over records in memory.
 */
import { isDeepStrictEqual } from "node:util"
import {
  type DocumentMaintenance,
  documentKind,
  type Event,
  fileKind,
  type OrganisationId,
  portfolioKind,
  Records,
  type RequirementRepository,
  siteKind
} from "@solar-sites/core"
import { Effect, Layer, Result } from "effect"
import * as MemoryAdapters from "../memory/MemoryAdapters.ts"
import { MemoryDatabase } from "../memory/MemoryDatabase.ts"
import { assert } from "./Assert.ts"
import { type EventPorts, storedEvents } from "./EventSetup.ts"
import { currentRequirements } from "./RequirementSetup.ts"

/** Ports of the compared steps. */
export type ComparedPorts = DocumentMaintenance | EventPorts | RequirementRepository

/** All ports that the reference has. */
export type ReferencePorts = Layer.Success<typeof MemoryAdapters.layer>

/** A command or a read, of the adapter and of the reference alike. */
export interface Step<Ports = ComparedPorts> {
  readonly name: string
  readonly run: Effect.Effect<unknown, unknown, Ports>
}

const kinds = [portfolioKind, siteKind, documentKind, fileKind]

const everything = { page: { after: null, limit: 1_000 } }

/** Members that the adapter does not choose. */
export const withoutOrder = ({ id: _, occurredAt: __, sequence: ___, ...event }: Event) => event

/** All records of the organisation, and its events without ids and instants. */
export const stateOf = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { list } = yield* Records
  const lists = yield* Effect.forEach(kinds, (kind) =>
    Effect.map(list("Records.list", organisationId, kind, everything), ({ items }) => [kind.name, items] as const)
  )
  const events = (yield* storedEvents(organisationId)).map(withoutOrder)
  return { ...Object.fromEntries(lists), ...(yield* currentRequirements(organisationId)), events }
})

/** The answer of a step, which may be a refusal. */
export const answerOf = <E, R>(run: Effect.Effect<unknown, E, R>) =>
  Effect.map(
    Effect.result(run),
    Result.match({ onFailure: (refusal) => ({ refusal }), onSuccess: (answer) => ({ answer }) })
  )

type Database = MemoryDatabase["Service"]

/** The functions of core over these records. */
const makeReference = (database: Database) =>
  Effect.map(
    // The adapter under test may have been built of the same layers.
    Layer.build(Layer.fresh(MemoryAdapters.over(Layer.succeed(MemoryDatabase, database)))),
    (context) =>
      <A, E>(effect: Effect.Effect<A, E, ReferencePorts>): Effect.Effect<A, E> =>
        Effect.provideContext(effect, context)
  )

const statesAfter = 8

/**
 * Runs the steps with the adapter and with the reference. Both answer the same, and are in the same state after
 * every eighth step and the last one.
 */
export const expectReference = Effect.fnUntraced(function* <Ports extends ReferencePorts>(
  state: Effect.Effect<unknown, unknown, Ports>,
  steps: ReadonlyArray<Step<Ports>>
) {
  const ofReference = yield* makeReference(new Map())
  for (const [index, { name, run }] of steps.entries()) {
    const answer = yield* answerOf(run)
    assert.deepEqual(answer, yield* ofReference(answerOf(run)), `the answer to step ${index}, ${name}`)
    if (index % statesAfter > 0 && index < steps.length - 1) continue
    const last = steps.slice(Math.max(0, index - statesAfter + 1), index + 1).map((step) => step.name)
    assert.deepEqual(
      yield* state,
      yield* ofReference(state),
      `the state after step ${index}, of which the last are ${last}`
    )
  }
}, Effect.scoped)

/** All orders of the items. */
const ordersOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) => ordersOf(items.filter((one) => one !== first)).map((rest) => [first, ...rest]))

const copyOf = (database: Database): Database =>
  new Map(
    Array.from(database, ([id, { events, records }]) => {
      const kinds = new Map(Array.from(records, ([kind, all]) => [kind, new Map(all)]))
      return [id, { records: kinds, events: { ...events, kept: [...events.kept] } }]
    })
  )

/** What the steps answer and leave when the reference runs them in this order. */
const inOrder = Effect.fnUntraced(function* <Ports extends ReferencePorts>(
  database: Database,
  state: Effect.Effect<unknown, unknown, Ports>,
  steps: ReadonlyArray<Step<Ports>>,
  order: ReadonlyArray<Step<Ports>>
) {
  const ofReference = yield* makeReference(database)
  const answers = new Map<Step<Ports>, unknown>()
  for (const step of order) answers.set(step, yield* ofReference(answerOf(step.run)))
  return { answers: steps.map((step) => answers.get(step)), state: yield* ofReference(state) }
}, Effect.scoped)

/**
 * Runs rounds of steps with the adapter, those of a round at once. They answer and leave what the reference does when
 * it runs those of the round one after the other, in some order.
 */
export const expectSomeOrder = Effect.fnUntraced(function* <Ports extends ReferencePorts>(
  state: Effect.Effect<unknown, unknown, Ports>,
  before: ReadonlyArray<Step<Ports>>,
  rounds: ReadonlyArray<ReadonlyArray<Step<Ports>>>
) {
  let database: Database = new Map()
  for (const { run } of before) yield* answerOf(run)
  yield* inOrder(database, state, before, before)
  for (const steps of rounds) {
    const answers = yield* Effect.forEach(steps, ({ run }) => answerOf(run), { concurrency: "unbounded" })
    const found = { answers, state: yield* state }
    const others: Array<{ readonly answers: ReadonlyArray<unknown>; readonly state: unknown }> = []
    let next: Database | undefined
    for (const order of ordersOf(steps)) {
      const copy = copyOf(database)
      const left = yield* inOrder(copy, state, steps, order)
      if (isDeepStrictEqual(found, left)) {
        next = copy
        break
      }
      others.push(left)
    }
    const closest = others.find((one) => isDeepStrictEqual(answers, one.answers)) ?? others[0]
    if (next === undefined)
      assert.deepEqual(found, closest, `what one order leaves of ${steps.map(({ name }) => name)}`)
    else database = next
  }
})
