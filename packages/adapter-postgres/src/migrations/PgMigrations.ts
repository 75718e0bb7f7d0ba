/**
 * Migrates the schema, or lists the pending migrations. Each migration is one transaction under a
 * lock for which other instances wait. The table `migration` holds the names and checksums of the
 * applied ones.
 */
import { hash } from "node:crypto"
import type { RepositoryError } from "@solar-sites/core"
import { Duration, Effect, Schema } from "effect"
import { violates } from "../client/PgErrors.ts"
import { quoteSchema, quoteText } from "../client/PgSchema.ts"
import { PgClient } from "../PgClient.ts"
import { type Migration, migrations as published } from "./migrations.ts"
import { type MigrationPromises, type NotAwaitable, notAwaitable, runOn } from "./PgMigrationPromises.ts"

/** The database has migrations that this version does not know. A newer version applied them. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>("@solar-sites/adapter-postgres/DatabaseTooNew")(
  "DatabaseTooNew",
  { unknownMigrations: Schema.Array(Schema.String) }
) {
  override get message(): string {
    return `the database was migrated by a newer version of this software (${this.unknownMigrations.join(", ")})`
  }
}

/** A migration has changed since it was applied: its checksum differs. */
export class MigrationChanged extends Schema.TaggedError<MigrationChanged>(
  "@solar-sites/adapter-postgres/MigrationChanged"
)("MigrationChanged", { migration: Schema.String }) {
  override get message(): string {
    return `the migration ${this.migration} has changed since it was applied to this database`
  }
}

export type MigrationFailure = DatabaseTooNew | MigrationChanged | RepositoryError

// An index on a large table takes long to build, and other instances wait for it.
const timeout = Duration.minutes(30)

/** The prefix of a name before its number. Empty for migrations of this package. */
const familyOf = (name: string): string => /^\D*/.exec(name)?.[0] ?? ""

const checksum = ({ sql }: Migration): string => hash("sha256", sql(quoteSchema("solar")))

/** One lock per schema: instances with different schemas do not wait for each other. */
const lockKey = (schema: string): bigint =>
  BigInt.asIntN(64, BigInt(`0x${hash("sha256", `solar-sites ${schema}`).slice(0, 16)}`))

const preparation = (schema: string, createSchema: boolean): string => `
set local statement_timeout = 0;
select pg_advisory_xact_lock(${lockKey(schema)});
${createSchema ? `create schema if not exists ${schema};` : ""}
create table if not exists ${schema}.migration (
  name text constraint migration_name primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
);
`

const step = (schema: string, migration: Migration): string => `
-- ${migration.name}
insert into ${schema}.migration (name, checksum)
  values (${quoteText(migration.name)}, ${quoteText(checksum(migration))});
${migration.sql(schema)}`

const readText = Effect.fnUntraced(function* (operation: string, text: string, parameter: string) {
  const { run } = yield* PgClient
  const [row] = yield* run({ operation, text, parameters: [parameter], readOnly: true })
  return row?.[0]
})

const exists = (kind: "to_regnamespace" | "to_regclass", name: string) =>
  readText("PgMigrations.exists", `select (${kind}($1::text) is not null)::text`, name).pipe(
    Effect.map((answer) => answer === "true")
  )

const Applied = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

type Checksums = ReadonlyMap<string, string>

const checksumsOf = (migrations: ReadonlyArray<Migration>): Checksums =>
  new Map(migrations.map((migration) => [migration.name, checksum(migration)]))

const pendingOf = Effect.fnUntraced(function* (migrations: ReadonlyArray<Migration>, known: Checksums) {
  const { schema } = yield* PgClient
  if (!(yield* exists("to_regclass", `${schema}.migration`))) return migrations
  const text = `select coalesce(json_object_agg(name, checksum), '{}')::text from ${schema}.migration where name <> $1::text`
  const applied = new Map(
    Object.entries(Schema.decodeUnknownSync(Applied)(yield* readText("PgMigrations.read", text, "")))
  )
  const families = new Set(["", ...migrations.map(({ name }) => familyOf(name))])
  // Migrations with other prefixes belong to other hosts.
  const ours = [...applied].filter(([name]) => families.has(familyOf(name)))
  const unknownMigrations = ours.flatMap(([name]) => (known.has(name) ? [] : [name])).sort()
  if (unknownMigrations.length > 0) return yield* new DatabaseTooNew({ unknownMigrations })
  for (const [migration, sum] of ours) {
    if (known.get(migration) !== sum) return yield* new MigrationChanged({ migration })
  }
  return migrations.filter(({ name }) => !applied.has(name))
})

/** Applies a list of migrations. */
export const migrateWith = Effect.fnUntraced(function* (
  migrations: ReadonlyArray<Migration>
): Effect.fn.Return<ReadonlyArray<string>, MigrationFailure, PgClient> {
  const { run, schema } = yield* PgClient
  const applied: Array<string> = []
  const known = checksumsOf(migrations)
  while (true) {
    const [next] = yield* pendingOf(migrations, known)
    if (next === undefined) return applied
    // A role with the right to create tables may lack the right to create schemas.
    const batch = preparation(schema, !(yield* exists("to_regnamespace", schema))) + step(schema, next)
    const isMine = yield* run({ operation: "PgMigrations.migrate", text: batch, timeout }).pipe(
      Effect.as(true),
      // Another instance has applied it.
      Effect.catchIf(violates("migration_name"), () => Effect.succeed(false))
    )
    if (isMine) applied.push(next.name)
  }
})

const namesPending = (migrations: ReadonlyArray<Migration>) =>
  Effect.map(pendingOf(migrations, checksumsOf(migrations)), (pending) => pending.map(({ name }) => name))

const sqlOf =
  (migrations: ReadonlyArray<Migration>) =>
  (schema = "solar", names?: ReadonlyArray<string>): string => {
    const quoted = quoteSchema(schema)
    const chosen = migrations.filter(({ name }) => names?.includes(name) ?? true)
    const steps = chosen.map((migration) => step(quoted, migration)).join("")
    return `begin;${preparation(quoted, true)}${steps}\ncommit;\n`
  }

/** Operations on a list of migrations. */
export interface Migrations {
  readonly promises: MigrationPromises
  readonly migrate: NotAwaitable<ReadonlyArray<string>, MigrationFailure, PgClient>
  readonly pendingMigrations: NotAwaitable<ReadonlyArray<string>, MigrationFailure, PgClient>
  readonly migrationSql: (schema?: string, names?: ReadonlyArray<string>) => string
}

const migrationsOf = (all: ReadonlyArray<Migration>): Migrations => ({
  promises: { migrate: runOn(migrateWith(all)), pendingMigrations: runOn(namesPending(all)) },
  migrate: notAwaitable("migrate", migrateWith(all)),
  pendingMigrations: notAwaitable("pendingMigrations", namesPending(all)),
  migrationSql: sqlOf(all)
})

/**
 * The migrations of this package followed by those of the host, for its tables in the same schema.
 * Names of the host begin with a prefix of its own, such as `billing_0001_invoices`. Clients without
 * that prefix ignore them.
 */
export const withMigrations = (added: ReadonlyArray<Migration>): Migrations => {
  const all = [...published, ...added]
  const [unnamed] = added.filter(({ name }) => familyOf(name) === "")
  if (unnamed !== undefined)
    throw new TypeError(
      `the name of the migration ${unnamed.name} must begin with a prefix of letters, such as billing_`
    )
  return migrationsOf(all)
}

const ours = migrationsOf(published)

/**
 * Applies the pending migrations in order, and returns the names of those that this call applied.
 * Nothing else in this package changes the schema.
 */
export const migrate: Migrations["migrate"] = ours.migrate

/** The names of the migrations that `migrate` would apply. */
export const pendingMigrations: Migrations["pendingMigrations"] = ours.pendingMigrations

/**
 * The same as text, for teams that run their own: one transaction with the named
 * migrations, or all of them, in the schema (default `solar`).
 */
export const migrationSql: Migrations["migrationSql"] = ours.migrationSql

/** `migrate` and `pendingMigrations` for hosts without Effect. */
export const promises: MigrationPromises = ours.promises
