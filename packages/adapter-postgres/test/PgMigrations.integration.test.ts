import { assert, describe, it } from "@effect/vitest"
import {
  layerPorts,
  migrate,
  migrationSql,
  PgClient,
  pendingMigrations,
  withMigrations
} from "@solar-sites/adapter-postgres"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { migrations as all } from "../src/migrations/migrations.ts"
import { migrateWith } from "../src/migrations/PgMigrations.ts"
import { options, ownSchema, randomSchema, withoutPostgres } from "./Databases.ts"

const published = all.map(({ name }) => name)

const client = (schema: string) => PgClient.layer(options(schema))

const run = (text: string) =>
  Effect.gen(function* () {
    const { run } = yield* PgClient
    return yield* run({ operation: "test", text })
  })

const tables = Effect.gen(function* () {
  const { run, schema } = yield* PgClient
  const text = `select count(*)::int from pg_class where relkind = 'r' and relnamespace = to_regnamespace($1::text)`
  const [row] = yield* run({ operation: "test", text, parameters: [schema] })
  return row?.[0]
})

const canBeUsed = Effect.gen(function* () {
  const organisation = anOrganisation()
  const organisations = yield* OrganisationRepository
  yield* organisations.insert(organisation)
  assert.isTrue((yield* organisations.findById(organisation.id))._tag === "Some")
})

const migrations = (...names: ReadonlyArray<string>) =>
  names.map((name) => ({ name, sql: (schema: string) => `create table ${schema}.${name} (id integer)` }))

describe.skipIf(withoutPostgres)("migrations", () => {
  it.live("apply once, after which none is pending", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* pendingMigrations, published)
        assert.strictEqual(yield* tables, 0)
        assert.deepStrictEqual(yield* migrate, published)
        assert.deepStrictEqual(yield* pendingMigrations, [])
        assert.deepStrictEqual(yield* migrate, [])
      }).pipe(Effect.provide(client(schema)))
    })
  )

  it.live("apply once each when five instances start at the same time", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const list = migrations("first", "second", "third")
      const applied = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.provide(migrateWith(list), client(schema))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(applied.flat().sort(), ["first", "second", "third"])
    })
  )

  for (const name of [
    `my "schema"; --`,
    "Straße.ü ' $1 \\",
    `${"x".repeat(55)}`,
    'x"; drop schema public cascade; --'
  ]) {
    it.live(`live in a schema of the name ${name}`, () =>
      Effect.gen(function* () {
        const schema = yield* ownSchema(`${randomSchema().slice(5, 12)}${name}`)
        yield* migrate.pipe(Effect.andThen(canBeUsed), Effect.provide(Layer.provideMerge(layerPorts, client(schema))))
      })
    )
  }

  it.live("roll back a failed one completely, and continue from there", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const [first, second] = migrations("first", "second")
      const broken = { name: "second", sql: (name: string) => `create table ${name}.half (id integer); select 1 / 0` }
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(migrateWith([first, broken].filter((step) => step !== undefined)))
        assert.strictEqual(error._tag, "RepositoryError")
        assert.strictEqual(yield* tables, 2)
        const repaired = [first, second].filter((step) => step !== undefined)
        assert.deepStrictEqual(yield* migrateWith(repaired), ["second"])
      }).pipe(Effect.provide(client(schema)))
    })
  )

  it.live("are asked for by the error of a statement that needs them", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const ask = OrganisationRepository.use(({ insert }) => insert(anOrganisation()))
      const failure = yield* Effect.flip(Effect.provide(ask, Layer.provideMerge(layerPorts, client(schema))))
      assert.isFalse(failure.retryable)
      assert.match(String(failure.cause), /does not exist; run `migrate` of @solar-sites\/adapter-postgres/)
    })
  )

  it.live("refuse a database that a newer version has migrated", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        yield* migrate
        const { schema: quoted } = yield* PgClient
        yield* run(`insert into ${quoted}.migration (name, checksum) values ('9999_future', 'x')`)
        for (const effect of [migrate, pendingMigrations]) {
          const error = yield* Effect.flip(effect)
          assert.strictEqual(error._tag, "DatabaseTooNew")
          assert.include(error.message, "9999_future")
        }
      }).pipe(Effect.provide(client(schema)))
    })
  )

  it.live("refuse a migration that has changed since it was applied", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* Effect.gen(function* () {
        yield* migrateWith(migrations("first"))
        const error = yield* Effect.flip(migrateWith([{ name: "first", sql: () => "select 1" }]))
        assert.strictEqual(error._tag, "MigrationChanged")
      }).pipe(Effect.provide(client(schema)))
    })
  )

  it.live("are followed by those of the host, which a client without them ignores", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const added = [
        { name: "billing_0001_invoices", sql: (schema: string) => `create table ${schema}.invoice (id uuid)` }
      ]
      const host = withMigrations(added)
      yield* Effect.gen(function* () {
        yield* migrate
        assert.deepStrictEqual(yield* host.pendingMigrations, ["billing_0001_invoices"])
        const sql = host.migrationSql("other", yield* host.pendingMigrations)
        assert.include(sql, 'create table "other".invoice')
        assert.notInclude(sql, "0001_initial")
        assert.deepStrictEqual(yield* host.migrate, ["billing_0001_invoices"])
        assert.deepStrictEqual([yield* migrate, yield* pendingMigrations, yield* host.migrate], [[], [], []])
        // A client with some migrations of a host must have all of them.
        const older = withMigrations([{ name: "billing_0000_none", sql: () => "select 1" }])
        const error = yield* Effect.flip(older.pendingMigrations)
        assert.include(error.message, "billing_0001_invoices")
        assert.throws(() => withMigrations([{ name: "0004_mine", sql: () => "select 1" }]), /0004_mine/)
      }).pipe(Effect.provide(client(schema)))
    })
  )

  it.live("are available as SQL text", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      yield* run(migrationSql(schema)).pipe(
        Effect.andThen(canBeUsed),
        Effect.andThen(pendingMigrations),
        Effect.tap((pending) => Effect.sync(() => assert.deepStrictEqual(pending, []))),
        Effect.provide(Layer.provideMerge(layerPorts, PgClient.layer(options(schema, { poolSize: 1 }))))
      )
    })
  )

  it.live("need no right to create schemas when the schema exists", () =>
    Effect.gen(function* () {
      const schema = yield* ownSchema()
      const role = randomSchema()
      yield* run(
        `create role ${role}; create schema ${schema} authorization ${role}; grant ${role} to current_user`
      ).pipe(Effect.provide(client(schema)))
      const { url, ...rest } = options(schema, { poolSize: 1 })
      yield* Effect.gen(function* () {
        yield* run(`set role ${role}`)
        assert.deepStrictEqual(yield* migrate, published)
      }).pipe(Effect.provide(PgClient.layer({ url, ...rest })))
      yield* Effect.addFinalizer(() =>
        run(`drop owned by ${role} cascade; drop role ${role}`).pipe(Effect.provide(client(schema)), Effect.orDie)
      )
    })
  )
})
