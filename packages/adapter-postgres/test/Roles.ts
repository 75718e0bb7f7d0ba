/**
 * Roles that may do nothing but read and write what is in the tables.
 */
import { randomBytes } from "node:crypto"
import { layerPorts, migrate, PgClient, rowLevelSecuritySql } from "@solar-sites/adapter-postgres"
import { Effect, Layer, Redacted } from "effect"
import { options, ownSchema, postgresUrl, randomSchema } from "./Databases.ts"

const run = (text: string) => PgClient.use(({ run }) => run({ operation: "test", text }))

/** A role of its own with no more than that, in a migrated schema. Answers the address under which it logs in. */
export const dataRole = Effect.fnUntraced(function* (schema: string) {
  const role = randomSchema()
  const password = randomBytes(12).toString("hex")
  const owner = PgClient.layer(options(schema, { queryTimeout: "60 seconds" }))
  yield* migrate.pipe(
    Effect.andThen(
      run(`
        create role ${role} login password '${password}';
        grant usage on schema ${schema} to ${role};
        grant select, insert, update, delete on all tables in schema ${schema} to ${role}
      `)
    ),
    Effect.provide(owner)
  )
  yield* Effect.addFinalizer(() =>
    run(`drop owned by ${role}; drop role ${role}`).pipe(Effect.provide(owner), Effect.orDie)
  )
  const url = new URL(postgresUrl)
  url.username = role
  url.password = password
  return url.href
})

/** The ports as such a role. */
export const asDataRole = Effect.gen(function* () {
  const schema = yield* ownSchema()
  const url = Redacted.make(yield* dataRole(schema))
  return yield* Layer.build(Layer.provideMerge(layerPorts, PgClient.layer(options(schema, { url }))))
})

/** Such a role behind row-level security, in a schema that may be there already. Answers its address. */
export const boundRole = Effect.fnUntraced(function* (schema: string) {
  const url = Redacted.make(yield* dataRole(schema))
  const text = rowLevelSecuritySql(schema)
  // Twice, as after a later migration.
  yield* run(text).pipe(Effect.andThen(run(text)), Effect.provide(PgClient.layer(options(schema, { poolSize: 1 }))))
  return url
})

/** The ports as one; `rowLevelSecurity: false` for a client that does not know of it. */
export const asBoundRole = Effect.fnUntraced(function* (rowLevelSecurity = true) {
  const schema = yield* ownSchema()
  const url = yield* boundRole(schema)
  return yield* Layer.build(Layer.provideMerge(layerPorts, PgClient.layer(options(schema, { url, rowLevelSecurity }))))
})
