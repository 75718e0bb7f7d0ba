import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient } from "@solar-sites/adapter-postgres"
import { HostOrganisations } from "@solar-sites/core"
import { MemoryDatabase, MemoryOrganisationRepository } from "@solar-sites/testing"
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

const host = Layer.fresh(MemoryOrganisationRepository.layer.pipe(Layer.provide(MemoryDatabase.layer)))

/** Organisations of the host, which the tables of the database refer to. */
const withHost = Effect.flatMap(asPooledRole, (database) =>
  Layer.build(HostOrganisations.layer(host).pipe(Layer.provideMerge(Layer.succeedContext(database))))
)

// Each suite runs once behind pgbouncer, and once with organisations of the host where these make a difference.
const name = `postgres ${isMissing ? "with unnamed statements" : "behind pgbouncer"}, as a role that may only read and write`
conforms(name, shared(asPooledRole), withoutPostgres, undefined, "others")
conforms(`${name}, with organisations of the host`, shared(withHost), withoutPostgres, undefined, "changed by the host")

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
