/** Connections that hold locks, which statements of the server wait for. */
import { PgClient } from "@solar-sites/adapter-postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { expect } from "vitest"
import { postgresUrl } from "../ExternalDatabase.ts"

const waiting = { timeout: 30_000 }

/** Two connections. */
export const connectionsTo = async (schema: string) => {
  const scope = Scope.makeUnsafe()
  const layer = () =>
    Layer.fresh(PgClient.layer({ url: Redacted.make(postgresUrl), schema, poolSize: 1, queryTimeout: "20 seconds" }))
  const clients = await Promise.all(
    [layer(), layer()].map((one) =>
      Effect.runPromise(Effect.map(Layer.buildWithScope(one, scope), (built) => Context.get(built, PgClient)))
    )
  )
  const run = async (connection: number, text: string) => {
    const statement = { operation: "test", text: text.replaceAll("SCHEMA", schema) }
    return await Effect.runPromise(clients[connection]?.run(statement) ?? Effect.succeed([]))
  }

  /** Runs `use` while the rows that `select` names are locked, and waits for what it returns. */
  const whileLocked = async (select: string, use: () => Promise<ReadonlyArray<Promise<unknown>>>) => {
    const key = Math.floor(Math.random() * 2 ** 31)
    await run(0, `select pg_advisory_lock(${key})`)
    const holding = run(
      1,
      `with x as materialized (${select}) select pg_advisory_xact_lock(${key})::text from x limit 1`
    )
    const free = `select count(*)::int from (${select} skip locked) x`
    let begun: ReadonlyArray<Promise<unknown>> = []
    try {
      await expect.poll(async () => (await run(0, free))[0]?.[0], waiting).toBe(0)
      begun = await use()
    } finally {
      await run(0, `select pg_advisory_unlock(${key})`)
      await holding
      await Promise.all(begun)
    }
  }

  /** Waits until so many statements on the schema wait for locks. */
  const blocked = (count: number) =>
    expect
      .poll(async () => {
        const text = `select count(*)::int from pg_stat_activity
          where cardinality(pg_blocking_pids(pid)) > 0 and query like '%SCHEMA%' and query not like '%pg_advisory%'`
        return (await run(0, text))[0]?.[0]
      }, waiting)
      .toBe(count)

  return { run, whileLocked, blocked, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

export type Connections = Awaited<ReturnType<typeof connectionsTo>>
