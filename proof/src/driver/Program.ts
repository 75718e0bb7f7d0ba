/**
 * A random program for the driver: statements of many organisations, and the faults between them.
 */
import * as fc from "fast-check"
import type { Made } from "../check.ts"
import type { Conditions } from "../Network.ts"
import { type StatementKind, statementKinds } from "./Statements.ts"

const organisations = 24

const allKinds = Object.keys(statementKinds) as ReadonlyArray<StatementKind> // It has no other keys.

/** Statements of these kinds, by their weights. */
const statementOf = (kinds: typeof allKinds) =>
  fc.record({
    do: fc.constant("statement" as const),
    kind: fc.oneof(...kinds.map((name) => ({ weight: statementKinds[name].weight, arbitrary: fc.constant(name) }))),
    organisation: fc.nat({ max: organisations - 1 }),
    /** The number of rows, bytes or the like, depending on the kind. */
    size: fc.nat({ max: 999 }),
    /** When the caller stops waiting; null: it waits. */
    interruptedAfterMillis: fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.nat({ max: 20 }) }
    )
  })

export type Statement = Made<ReturnType<typeof statementOf>>

const isFault = (kind: StatementKind) => statementKinds[kind].isFault === true

const statement = statementOf(allKinds.filter((kind) => !isFault(kind)))

const conditions: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ latencyMillis: fc.nat({ max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ bytesPerSecond: fc.integer({ min: 100_000, max: 10_000_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ blackhole: true }) }
)

const to = fc.constantFrom("client" as const, "server" as const)

const fault = fc.oneof(
  { weight: 2, arbitrary: statementOf(allKinds.filter(isFault)) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("pause" as const), millis: fc.nat({ max: 10 }) }) },
  {
    weight: 4,
    // Ends backends, or cancels their statements.
    arbitrary: fc.record({
      do: fc.constantFrom("terminate", "cancel"),
      backends: fc.integer({ min: 1, max: 3 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("network" as const), conditions, millis: fc.nat({ max: 1_500 }) })
  },
  { weight: 1, arbitrary: fc.constant({ do: "reset" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("halfClose" as const), to }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cut" as const), to, bytes: fc.nat({ max: 20_000 }) }) }
)

export type Action = Made<typeof statement | typeof fault>

/** At most so many actions, and about so many statements for each fault. */
export const programs = (maximumActions: number, statementsPerFault = 9) =>
  fc.record({
    poolSize: fc.integer({ min: 1, max: 10 }),
    pooler: fc.constantFrom("session", "session", "transaction"),
    rowLevelSecurity: fc.constantFrom(false, false, true),
    actions: fc.array(fc.oneof({ weight: statementsPerFault, arbitrary: statement }, { weight: 1, arbitrary: fault }), {
      minLength: 1,
      maxLength: maximumActions,
      size: "max"
    })
  })

export type Program = Made<ReturnType<typeof programs>>
