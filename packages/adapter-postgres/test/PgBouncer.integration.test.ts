import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import { afterAll } from "vitest"
import { onPostgres, postgresUrl, shared, withoutPostgres } from "./Databases.ts"
import { unlessMissing } from "./EmbeddedPostgres.ts"
import { startPgBouncer } from "./PgBouncer.ts"
import { conforms } from "./Suites.ts"

const pooler = withoutPostgres ? undefined : await unlessMissing("through pgbouncer", () => startPgBouncer(postgresUrl))
const url = Redacted.make(pooler?.url ?? "")
const isMissing = pooler === undefined

conforms("postgres behind pgbouncer", shared(onPostgres({ url, pooler: "transaction" })), isMissing)

describe.skipIf(isMissing)("a pooler in transaction mode", () => {
  afterAll(() => pooler?.stop())

  it.live("gives consecutive statements of a client different connections", () =>
    Effect.gen(function* () {
      const { run } = yield* PgClient
      const one = run({ operation: "test", text: "select pg_backend_pid()" })
      const pids = yield* Effect.all(
        Array.from({ length: 40 }, () => one),
        { concurrency: 10 }
      )
      assert.isAbove(new Set(pids.flat(2)).size, 1)
    }).pipe(Effect.provide(PgClient.layer({ url, pooler: "transaction" })))
  )
})
