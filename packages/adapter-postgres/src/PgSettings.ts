/** Environment variables of the database (specification, section 9). */
import { dataDirectory, PositiveDurationText, textThat, wholeNumber } from "@solar-sites/core/options"
import { Config, Duration, Schema } from "effect"
import { addressRules } from "./client/PgAddress.ts"

const DatabaseUrl = addressRules.reduce(
  (schema, { form, holds }) => schema.check(Schema.makeFilter(holds, { message: `must be ${form}` })),
  Schema.String
)

const DatabaseSchema = textThat(
  (text) => !/^pg_|^information_schema$|\p{Cc}/iu.test(text) && text.isWellFormed() && Buffer.byteLength(text) <= 63,
  "must be a name of at most 63 bytes that Postgres does not keep for itself"
)

const shared = {
  schema: Config.schema(DatabaseSchema, "DATABASE_SCHEMA").pipe(Config.withDefault("solar")),
  queryTimeout: Config.schema(PositiveDurationText, "QUERY_TIMEOUT").pipe(Config.withDefault(Duration.seconds(5)))
}

/**
 * `DATABASE_URL`, which is required, `DATABASE_SCHEMA`, `DATABASE_POOL_SIZE`,
 * `DATABASE_POOLER`, `DATABASE_ROW_LEVEL_SECURITY` and `QUERY_TIMEOUT`.
 */
export const settings = {
  ...shared,
  url: Config.schema(Schema.RedactedFromValue(DatabaseUrl), "DATABASE_URL"),
  poolSize: Config.schema(wholeNumber(1, 1_000), "DATABASE_POOL_SIZE").pipe(Config.withDefault(10)),
  pooler: Config.schema(Schema.Literals(["session", "transaction"]), "DATABASE_POOLER").pipe(
    Config.withDefault("session")
  ),
  rowLevelSecurity: Config.Boolean("DATABASE_ROW_LEVEL_SECURITY").pipe(Config.withDefault(false))
}

/** `DATA_DIR`, `DATABASE_SCHEMA` and `QUERY_TIMEOUT`, for the embedded database. */
export const embeddedSettings = { ...shared, dataDirectory }
