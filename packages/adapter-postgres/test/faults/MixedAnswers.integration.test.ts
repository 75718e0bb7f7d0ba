import { assert, describe, it } from "@effect/vitest"
import { PgClient, type PgParameter, type PgRows, type PgSql } from "@solar-sites/adapter-postgres"
import { Cause, type Duration, Effect, Exit } from "effect"
import type postgres from "postgres"
import { postgresUrl, withoutPostgres } from "../Databases.ts"
import { patched, unpatched } from "./Drivers.ts"

/** A mistake of a host: JSON and untyped code have values that the types exclude. */
const undefinedValue: PgParameter = JSON.parse("{}").missing

/** A client of the host's with the driver at this address, on two connections. */
const hosted = (driver: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { default: open }: { readonly default: typeof postgres } = await import(driver)
      return open(postgresUrl, { max: 2, fetch_types: false, backoff: () => 0.02, onnotice: () => {} })
    }),
    (sql) => Effect.promise(() => sql.end({ timeout: 1 }))
  )

/** "own answer", "another's answer", "failed", or the code of a defect. */
type Outcome = string

const outcomeOf = (own: string, exit: Exit.Exit<PgRows, unknown>): Outcome => {
  if (Exit.isSuccess(exit)) return exit.value[0]?.[0] === own ? "own answer" : "another's answer"
  const error: unknown = Cause.squash(exit.cause)
  return Cause.hasDies(exit.cause) && error instanceof Error && "code" in error ? String(error.code) : "failed"
}

/** Failing statements between the others. */
const faults: Record<string, (sql: PgSql, run: PgClient["Service"]["run"]) => Effect.Effect<unknown, unknown>> = {
  refused: (_, run) => run({ operation: "test", text: "select $1::text", parameters: [undefinedValue] }),
  failed: (_, run) => run({ operation: "test", text: "select 1 / $1::int", parameters: [0] }),
  byTheHost: (sql) =>
    // The published driver never settles some of them.
    Effect.timeout(
      Effect.tryPromise(async () => sql.unsafe("select $1::text", [undefinedValue]).values()),
      "1 second"
    ),
  killed: (_, run) => run({ operation: "test", text: "select pg_terminate_backend(pg_backend_pid())" })
}

/** Rounds of reads that share connections, every third of them a fault. Returns the outcomes of the others. */
const pipelined = Effect.fnUntraced(function* (
  sql: PgSql,
  kinds: ReadonlyArray<keyof typeof faults>,
  { rounds, queryTimeout }: { readonly rounds: number; readonly queryTimeout: Duration.Input }
) {
  const outcomes: Array<Outcome> = []
  yield* Effect.gen(function* () {
    const { run } = yield* PgClient
    const read = (own: string) => run({ operation: "test", text: "select $1::text", parameters: [own], readOnly: true })
    // Once on each connection, so that the text is known there and statements no longer wait for its types.
    for (let count = 0; count < 10; count++) yield* Effect.exit(Effect.all([read("a"), read("b")], { concurrency: 2 }))
    for (let round = 0; round < rounds; round++) {
      yield* Effect.forEach(
        Array.from({ length: 24 }, (_, index) => index),
        (index): Effect.Effect<unknown> => {
          const fault = faults[kinds[Math.floor(Math.random() * kinds.length)] ?? ""]
          if (index % 3 === 1 && fault !== undefined) return Effect.exit(fault(sql, run))
          const own = `${round} ${index}`
          return Effect.map(Effect.exit(read(own)), (exit) => outcomes.push(outcomeOf(own, exit)))
        },
        { concurrency: "unbounded" }
      )
    }
  }).pipe(Effect.provide(PgClient.layerFrom({ ...sql, options: { max: 24 } }, { queryTimeout })))
  return Map.groupBy(outcomes, (outcome) => outcome)
})

describe.skipIf(withoutPostgres)("statements that share a connection with failing ones", () => {
  it.live("get their own answers with the patched driver", () =>
    Effect.gen(function* () {
      const outcomes = yield* pipelined(yield* hosted(yield* patched), Object.keys(faults), {
        rounds: 30,
        queryTimeout: "30 seconds"
      })
      assert.isAbove(outcomes.get("own answer")?.length ?? 0, 100)
      assert.deepStrictEqual(
        [...outcomes.keys()].filter((outcome) => outcome !== "failed"),
        ["own answer"]
      )
    })
  )

  it.live("get a defect instead of mixed answers with the published driver", () =>
    Effect.gen(function* () {
      // Its connections never recover, so that later rounds only wait.
      const outcomes = yield* pipelined(yield* hosted(yield* unpatched), ["byTheHost"], {
        rounds: 2,
        queryTimeout: "1 second"
      })
      assert.isUndefined(outcomes.get("another's answer"))
      assert.isAbove(outcomes.get("MIXED_ANSWER")?.length ?? 0, 0)
    })
  )
})
