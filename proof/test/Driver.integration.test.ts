import { PgClient, type PgRows, type PgSql } from "@solar-sites/adapter-postgres"
import { RepositoryError } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openClient } from "../../packages/adapter-postgres/src/client/PgDriver.ts"
import { postgresUrl, withoutPostgres } from "../../packages/adapter-postgres/test/Databases.ts"
import type {} from "../../packages/adapter-postgres/test/postgres.globalSetup.ts"
import { check } from "../src/check.ts"
import { programsAtOnce } from "../src/driver/driver.ts"
import { openBench, type Subject } from "../src/driver/Execution.ts"
import { type Program, programs } from "../src/driver/Program.ts"

const shrinkingMillis = 1_000
const context = { seed: 3, path: undefined, runs: undefined }

/** The message of the proof, or undefined when it holds. */
const found = async (subject: Subject, program: fc.Arbitrary<Program>, runs: number): Promise<string | undefined> => {
  const bench = await openBench(postgresUrl, subject)
  const property = programsAtOnce(bench, program, 2)
  const message = await check(property, context, "driver", runs, shrinkingMillis).then(
    () => undefined,
    (error: unknown) => String(error)
  )
  await bench.close()
  return message
}

const statements = (kind: "read" | "write", count: number): fc.Arbitrary<Program> =>
  fc.record({
    poolSize: fc.integer({ min: 2, max: 4 }),
    pooler: fc.constant("session"),
    rowLevelSecurity: fc.constant(false),
    actions: fc.array(
      fc.record({
        do: fc.constant("statement" as const),
        kind: fc.constant(kind),
        organisation: fc.nat({ max: 3 }),
        size: fc.constant(0),
        interruptedAfterMillis: fc.constant(null)
      }),
      { minLength: 1, maxLength: count, size: "max" }
    )
  })

/** A pool that gives each of two waiting callers the rows of the other. */
const swapping: Subject = (options) =>
  Layer.effect(
    PgClient,
    Effect.map(PgClient, (client) => {
      let waiting: { readonly rows: PgRows; readonly resume: (rows: PgRows) => void } | undefined
      const swapped = (rows: PgRows) =>
        Effect.callback<PgRows, RepositoryError>((resume) => {
          if (waiting === undefined) {
            const own = { rows, resume: (other: PgRows) => resume(Effect.succeed(other)) }
            waiting = own
            setTimeout(() => {
              if (waiting === own) waiting = undefined
              own.resume(rows)
            }, 5)
            return
          }
          waiting.resume(rows)
          resume(Effect.succeed(waiting.rows))
          waiting = undefined
        })
      return PgClient.of({ ...client, run: (statement) => Effect.flatMap(client.run(statement), swapped) })
    })
  ).pipe(Layer.provide(PgClient.layer(options)))

/** A driver that sends every tenth write again. */
const repeating: Subject = ({ applicationName = "", poolSize = 1 }) =>
  Layer.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() =>
          openClient({ url: postgresUrl, poolSize, applicationName, connectTimeout: 30, prepare: true })
        ),
        (sql) => Effect.promise(() => sql.end({ timeout: 1 }))
      ),
      (sql) => {
        let count = 0
        const unsafe: PgSql["unsafe"] = (text, ...rest) => {
          if (text.includes("insert") && ++count % 10 === 0) void Promise.resolve(sql.unsafe(text, ...rest).values())
          return sql.unsafe(text, ...rest)
        }
        return PgClient.layerFrom({ unsafe, options: sql.options })
      }
    )
  )

/** A driver that loses every answer. */
const losing: Subject = (options) =>
  Layer.effect(
    PgClient,
    Effect.map(PgClient, (client) => {
      const cause = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" })
      const lost = Effect.fail(new RepositoryError({ operation: "proof", retryable: true, cause }))
      return PgClient.of({ ...client, run: (statement) => Effect.andThen(client.run(statement), lost) })
    })
  ).pipe(Layer.provide(PgClient.layer(options)))

describe.skipIf(withoutPostgres)("the proof of the driver", () => {
  it("holds, with faults", async () => {
    expect(await found(PgClient.layer, programs(40), 2)).toBeUndefined()
  })

  it("finds a pool that swaps two answers, and shrinks the program", async () => {
    const message = await found(swapping, statements("read", 20), 20)
    expect(message).toMatch(/Counterexample[\s\S]*ForeignAnswer/)
    expect(message).toMatch(/Replay: .* driver --seed 3 --path /)
  })

  it("finds a driver that repeats a write, and shrinks the program", async () => {
    const message = await found(repeating, statements("write", 40), 20)
    expect(message).toMatch(/Counterexample[\s\S]*rite, answered: stored 2 times, not 1/)
  })

  it("finds a driver that loses every answer", async () => {
    expect(await found(losing, statements("read", 5), 1)).toMatch(/no answer to read after the faults/)
  })
})
