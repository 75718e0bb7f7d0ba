/**
 * A random sequence: commands that start, calls that go on, commands that end early, and time.
 */
import * as fc from "fast-check"
import type { Made } from "../check.ts"

const choice = fc.nat({ max: 999 })

/** Starts a command about a document: one that its status invites, or any. */
const start = fc.record({
  do: fc.constant("start" as const),
  document: fc.constantFrom(0, 0, 0, 0, 1, 2),
  choice,
  isInvited: fc.constantFrom(true, true, true, false),
  instance: fc.constantFrom(0 as const, 1 as const)
})

/** Opens a gate, the one reached last or any, and so often the next one reached last. */
const open = fc.record({
  do: fc.constant("open" as const),
  gate: fc.oneof(fc.constant("last" as const), fc.nat({ max: 9 })),
  more: fc.oneof(fc.constant(0), fc.nat({ max: 12 }))
})

/** Ends a command at its gate. A killed one does not run its finalizers. */
const end = fc.record({ do: fc.constant("end" as const), choice, isKilled: fc.boolean() })

const advance = fc.record({
  do: fc.constant("advance" as const),
  millis: fc.oneof(
    // Retries of claims, turns of the sweeper, claims.
    { weight: 8, arbitrary: fc.constantFrom(50, 500, 2_000, 10_000, 31_000) },
    // Addresses, grace.
    { weight: 1, arbitrary: fc.constantFrom(61_000, 900_000, 961_000) }
  )
})

const step = fc.oneof(
  { weight: 40, arbitrary: start },
  { weight: 60, arbitrary: open },
  { weight: 2, arbitrary: end },
  { weight: 10, arbitrary: advance }
)

export type Step = Made<typeof step>

export const sequences = (maximumSteps: number) =>
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: maximumSteps, size: "max" }),
    /** How many documents take part. With one, its commands meet more often. */
    documents: fc.constantFrom(1, 3),
    /** The organisation is deleted in the end, while clients still send files. */
    deletesOrganisation: fc.boolean()
  })

export type Sequence = Made<ReturnType<typeof sequences>>
