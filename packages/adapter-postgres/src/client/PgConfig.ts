/**
 * The settings of the database from the environment (specification, section 9).
 */
import { Config, Duration, type Redacted, Schema } from "effect"
import { isPostgresUrl, type PgLayerOptions, postgresUrlForm } from "./PgOptions.ts"
import { schemaFault } from "./PgSchema.ts"

const Address = Schema.String.check(Schema.makeFilter(isPostgresUrl, { message: `must be ${postgresUrlForm}` }))

const SchemaName = Schema.String.check(Schema.makeFilter((name: string) => schemaFault(name)))

const milliseconds = { ms: 1, s: 1_000, m: 60_000 }

const ShortDuration = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,6}(ms|s|m)$/, { message: "must be a duration such as 500ms, 5s or 1m" })
)

const toDuration = (text: string): Duration.Duration => {
  const unit = text.endsWith("ms") ? "ms" : text.endsWith("s") ? "s" : "m"
  return Duration.millis(Number.parseInt(text, 10) * milliseconds[unit])
}

/** `DATABASE_URL` is required; the others have the documented defaults. */
export const fromEnvironment: Config.Config<PgLayerOptions & { readonly url: Redacted.Redacted<string> }> = Config.all({
  url: Config.schema(Schema.Redacted(Address), "DATABASE_URL"),
  schema: Config.schema(SchemaName, "DATABASE_SCHEMA").pipe(Config.withDefault("solar")),
  poolSize: Config.schema(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 1_000 })),
    "DATABASE_POOL_SIZE"
  ).pipe(Config.withDefault(10)),
  pooler: Config.Literals(["session", "transaction"], "DATABASE_POOLER").pipe(Config.withDefault("session" as const)),
  queryTimeout: Config.schema(ShortDuration, "QUERY_TIMEOUT").pipe(
    Config.map(toDuration),
    Config.withDefault(Duration.seconds(5))
  )
})
