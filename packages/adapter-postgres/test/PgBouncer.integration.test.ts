import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { afterAll } from "vitest"
import { options, ownSchema, postgresUrl, shared, withoutPostgres } from "./Databases.ts"
import { unlessMissing } from "./EmbeddedPostgres.ts"
import { startPgBouncer } from "./PgBouncer.ts"
import { dataRole } from "./Roles.ts"
import { conforms } from "./Suites.ts"

const pooler = withoutPostgres ? undefined : await unlessMissing("through pgbouncer", () => startPgBouncer(postgresUrl))
const url = Redacted.make(pooler?.url ?? "")
const isMissing = pooler === undefined

/** Unnamed statements of a role that may only read and write; through pgbouncer where it is installed. */
const asPooledRole = Effect.gen(function* () {
  const schema = yield* ownSchema()
  const direct = yield* dataRole(schema)
  const ofRole = isMissing
    ? undefined
    : yield* Effect.acquireRelease(
        Effect.promise(() => startPgBouncer(direct)),
        ({ stop }) => Effect.promise(stop)
      )
  const client = PgClient.layer(options(schema, { url: Redacted.make(ofRole?.url ?? direct), pooler: "transaction" }))
  return yield* Layer.build(Layer.provideMerge(layerPorts, client))
})

const path = isMissing ? "with unnamed statements" : "behind pgbouncer"
conforms(`postgres ${path}, as a role that may only read and write`, shared(asPooledRole), withoutPostgres)

describe.skipIf(isMissing)("a pooler in transaction mode", () => {
  afterAll(() => pooler?.stop())

  it.live("gives consecutive statements of a client different connections", () =>
    Effect.gen(function* () {
      const { run } = yield* PgClient
      const one = run({ operation: "test", text: "select pg_backend_pid() from pg_sleep(0.05)" })
      const pids = yield* Effect.all(
        Array.from({ length: 40 }, () => one),
        { concurrency: 10 }
      )
      assert.isAbove(new Set(pids.flat(2)).size, 1)
    }).pipe(Effect.provide(PgClient.layer({ url, pooler: "transaction" })))
  )

  it.live("is asked for its primary", () =>
    Effect.gen(function* () {
      const primary = Redacted.make(`${Redacted.value(url)}?target_session_attrs=read-write`)
      const one = PgClient.use(({ run }) => run({ operation: "test", text: "select 1" }))
      const layer = PgClient.layer({ url: primary, pooler: "transaction", rowLevelSecurity: true })
      assert.deepStrictEqual(yield* Effect.provide(one, layer), [[1]])
    })
  )
})
