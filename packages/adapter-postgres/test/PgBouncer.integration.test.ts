import { assert, describe, it } from "@effect/vitest"
import { layerPorts, PgClient, type PgLayerOptions } from "@solar-sites/adapter-postgres"
import { HostOrganisations, OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, MemoryDatabase, MemoryOrganisationRepository } from "@solar-sites/testing"
import { Context, Effect, Layer, Redacted } from "effect"
import { afterAll } from "vitest"
import { options, ownSchema, postgresUrl, shared, withoutPostgres } from "./Databases.ts"
import { unlessMissing } from "./EmbeddedPostgres.ts"
import { startPgBouncer } from "./PgBouncer.ts"
import { boundRole, dataRole } from "./Roles.ts"
import { conforms, furtherKinds, furtherTables, largestMaximum, unlimitedSteps, withOtherValues } from "./Suites.ts"
import { everyMethod } from "./scale/EveryMethod.ts"
import { methodNames } from "./scale/MethodNames.ts"
import { recording } from "./scale/Plans.ts"

const pooler = withoutPostgres ? undefined : await unlessMissing("through pgbouncer", () => startPgBouncer(postgresUrl))
const url = Redacted.make(pooler?.url ?? "")
const isMissing = pooler === undefined

/** A client that logs in at this address of the server, through pgbouncer where it is installed. */
const pooled = Effect.fnUntraced(function* (schema: string, direct: string, more: Partial<PgLayerOptions> = {}) {
  const ofRole = isMissing
    ? undefined
    : yield* Effect.acquireRelease(
        Effect.promise(() => startPgBouncer(direct)),
        ({ stop }) => Effect.promise(stop)
      )
  return PgClient.layer(options(schema, { url: Redacted.make(ofRole?.url ?? direct), pooler: "transaction", ...more }))
})

/** The ports as a role that may only read and write, behind row-level security. */
const asBoundRole = Effect.gen(function* () {
  const schema = yield* ownSchema()
  const direct = Redacted.value(yield* boundRole(schema))
  const client = yield* pooled(schema, direct, { rowLevelSecurity: true })
  return yield* Layer.build(Layer.provideMerge(layerPorts, client))
})

const host = Layer.fresh(MemoryOrganisationRepository.layer.pipe(Layer.provide(MemoryDatabase.layer)))

/** Unnamed statements of such a role, and organisations of the host, which the tables of the database refer to. */
const withHost = Effect.gen(function* () {
  const schema = yield* ownSchema()
  const client = yield* pooled(schema, yield* dataRole(schema))
  return yield* Layer.build(
    HostOrganisations.layer(host).pipe(Layer.provideMerge(layerPorts), Layer.provideMerge(client))
  )
})

// Decision 50.
const name = isMissing ? "postgres as a role" : "postgres behind pgbouncer"
conforms(`${name}, with row-level security`, shared(asBoundRole), withoutPostgres, {
  without: [withOtherValues, unlimitedSteps, furtherKinds, furtherTables, largestMaximum]
})
conforms(`${name}, with organisations of the host`, shared(withHost), withoutPostgres, {
  ofHost: true,
  without: [withOtherValues]
})

describe.skipIf(withoutPostgres)("unnamed statements", () => {
  it.live(`run every method as such a role${isMissing ? "" : " behind pgbouncer"}`, () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const client = yield* pooled(schema, yield* dataRole(schema))
      const { recorded, service } = recording(Context.get(yield* Layer.build(client), PgClient))
      const names = yield* Effect.gen(function* () {
        const organisation = anOrganisation()
        yield* (yield* OrganisationRepository).insert(organisation)
        yield* everyMethod(organisation.id)
        return yield* methodNames
      }).pipe(Effect.provide(layerPorts), Effect.provideService(PgClient, service))
      assert.deepStrictEqual([...new Set(recorded().map(({ operation }) => operation))].sort(), [...names].sort())
    })
  )
})

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
