/**
 * A random program for the driver: statements of many organisations, and the faults between them.
 */
import * as fc from "fast-check"
import type { Conditions } from "../Network.ts"
import { type StatementKind, statementKinds } from "./Statements.ts"

/** One statement. `size` is the number of rows, bytes or the like, depending on the kind. */
export interface Statement {
  readonly do: "statement"
  readonly kind: StatementKind
  readonly organisation: number
  readonly size: number
  /** When the caller stops waiting; null: it waits. */
  readonly interruptedAfterMillis: number | null
}

export type Action =
  | Statement
  | { readonly do: "pause"; readonly millis: number }
  /** Ends backends, or cancels their statements. */
  | { readonly do: "terminate" | "cancel"; readonly backends: number }
  | { readonly do: "network"; readonly conditions: Conditions; readonly millis: number }
  | { readonly do: "reset" }
  | { readonly do: "halfClose"; readonly to: "client" | "server" }
  | { readonly do: "cut"; readonly to: "client" | "server"; readonly bytes: number }

export interface Program {
  readonly poolSize: number
  readonly pooler: "session" | "transaction"
  readonly rowLevelSecurity: boolean
  readonly actions: ReadonlyArray<Action>
}

const organisations = 24

/** Statements of these kinds, by their weights. */
const statementOf = (kinds: typeof statementKinds): fc.Arbitrary<Action> =>
  fc.record({
    do: fc.constant("statement" as const),
    kind: fc.oneof(...kinds.map(({ name, weight }) => ({ weight, arbitrary: fc.constant(name) }))),
    organisation: fc.nat({ max: organisations - 1 }),
    size: fc.nat({ max: 999 }),
    interruptedAfterMillis: fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.nat({ max: 20 }) }
    )
  })

const statement = statementOf(statementKinds.filter(({ isFault }) => isFault !== true))

const conditions: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ latencyMillis: fc.nat({ max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ bytesPerSecond: fc.integer({ min: 100_000, max: 10_000_000 }) }) },
  { weight: 1, arbitrary: fc.constant({ blackhole: true }) }
)

const to = fc.constantFrom("client" as const, "server" as const)

const fault: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: statementOf(statementKinds.filter(({ isFault }) => isFault === true)) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("pause" as const), millis: fc.nat({ max: 10 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("terminate" as const, "cancel" as const),
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

/** At most so many actions, and about so many statements for each fault. */
export const programs = (maximumActions: number, statementsPerFault = 9): fc.Arbitrary<Program> =>
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
