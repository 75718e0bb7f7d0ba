/**
 * Comparison of an adapter with the reference: the functions of core over records in memory.
 */
import { isDeepStrictEqual } from "node:util"
import {
  type DocumentMaintenance,
  documentKind,
  fileKind,
  type OrganisationId,
  portfolioKind,
  Records,
  type RequirementRepository,
  siteKind
} from "@solar-sites/core"
import { Effect, Layer, Result } from "effect"
import * as MemoryAdapters from "../memory/MemoryAdapters.ts"
import { assert } from "./Assert.ts"
import { type EventPorts, storedEvents } from "./EventSetup.ts"
import { currentRequirements } from "./RequirementSetup.ts"

/** Ports of the compared steps. */
export type ComparedPorts = DocumentMaintenance | EventPorts | RequirementRepository

/** A command or a read, of the adapter and of the reference alike. */
export interface Step {
  readonly name: string
  readonly run: Effect.Effect<unknown, unknown, ComparedPorts>
}

const kinds = [portfolioKind, siteKind, documentKind, fileKind]

/** All records of the organisation, and its events without ids and instants. */
const stateOf = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const records = yield* Records
  const options = { page: { after: null, limit: 1_000 } }
  const lists = yield* Effect.forEach(kinds, (kind) =>
    Effect.map(records.list("Records.list", organisationId, kind, options), ({ items }) => [kind.name, items] as const)
  )
  const events = (yield* storedEvents(organisationId)).map(
    ({ id: _, occurredAt: __, sequence: ___, ...event }) => event
  )
  return { ...Object.fromEntries(lists), ...(yield* currentRequirements(organisationId)), events }
})

/** The answer of a step, which may be a refusal. */
export const answerOf = <E, R>(run: Effect.Effect<unknown, E, R>) =>
  Effect.map(
    Effect.result(run),
    Result.match({ onFailure: (refusal) => ({ refusal }), onSuccess: (answer) => ({ answer }) })
  )

/** Records in memory, and core over them. */
const makeReference = Effect.map(
  // The adapter under test may have been built of the same layer.
  Layer.build(Layer.fresh(MemoryAdapters.layer)),
  (context) =>
    <A, E>(effect: Effect.Effect<A, E, ComparedPorts>): Effect.Effect<A, E> =>
      Effect.provideContext(effect, context)
)

/**
 * Runs the steps with the adapter and with the reference. After each of them both have answered the same, and have
 * the same records and events of these organisations.
 */
export const expectReference = Effect.fnUntraced(function* (
  owners: ReadonlyArray<OrganisationId>,
  steps: ReadonlyArray<Step>
) {
  const ofReference = yield* makeReference
  const states = Effect.forEach(owners, stateOf)
  for (const [index, { name, run }] of steps.entries()) {
    const answer = yield* answerOf(run)
    assert.deepEqual(answer, yield* ofReference(answerOf(run)), `the answer to step ${index}, ${name}`)
    assert.deepEqual(yield* states, yield* ofReference(states), `the records after step ${index}, ${name}`)
  }
}, Effect.scoped)

/** All orders of the items. */
const ordersOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) => ordersOf(items.filter((one) => one !== first)).map((rest) => [first, ...rest]))

/** What the steps answer and leave when the reference runs them in this order after the others. */
const inOrder = Effect.fnUntraced(function* (
  owners: ReadonlyArray<OrganisationId>,
  before: ReadonlyArray<Step>,
  steps: ReadonlyArray<Step>,
  order: ReadonlyArray<Step>
) {
  const ofReference = yield* makeReference
  const answers = new Map<Step, unknown>()
  for (const step of [...before, ...order]) answers.set(step, yield* ofReference(answerOf(step.run)))
  return {
    answers: steps.map((step) => answers.get(step)),
    states: yield* ofReference(Effect.forEach(owners, stateOf))
  }
}, Effect.scoped)

/**
 * Runs steps with the adapter at once. They answer and leave what the reference does when it runs them one after the
 * other, in some order.
 */
export const expectSomeOrder = Effect.fnUntraced(function* (
  owners: ReadonlyArray<OrganisationId>,
  before: ReadonlyArray<Step>,
  steps: ReadonlyArray<Step>
) {
  for (const { run } of before) yield* answerOf(run)
  const answers = yield* Effect.forEach(steps, ({ run }) => answerOf(run), { concurrency: "unbounded" })
  const found = { answers, states: yield* Effect.forEach(owners, stateOf) }
  const expected = yield* Effect.forEach(ordersOf(steps), (order) => inOrder(owners, before, steps, order))
  if (expected.some((one) => isDeepStrictEqual(found, one))) return
  const closest = expected.find((one) => isDeepStrictEqual(answers, one.answers)) ?? expected[0]
  assert.deepEqual(found, closest, `what one order leaves of ${steps.map(({ name }) => name)}`)
})
