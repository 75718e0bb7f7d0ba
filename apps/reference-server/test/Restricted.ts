/** Roles that row-level security restricts, as the server's role in production. */
import { randomBytes } from "node:crypto"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import { runJson } from "./CommandInProcess.ts"
import { postgresUrl } from "./ExternalDatabase.ts"
import type { Variables } from "./SolarSitesProcess.ts"

/** Settings of such a role in a migrated schema. `run` runs a statement as the owner of the tables. */
export const restricted = async (variables: Variables, schema: string) => {
  const role = `role_${randomBytes(6).toString("hex")}`
  const password = randomBytes(12).toString("hex")
  const run = (text: string) =>
    PgClient.use((client) => client.run({ operation: "test", text: text.replaceAll("SCHEMA", client.schema) })).pipe(
      Effect.provide(
        PgClient.layer({ url: Redacted.make(postgresUrl), schema, poolSize: 1, queryTimeout: "60 seconds" })
      ),
      Effect.runPromise
    )
  await run(`
    create role ${role} login password '${password}';
    grant usage on schema SCHEMA to ${role};
    grant select, insert, update, delete on all tables in schema SCHEMA to ${role}`)
  const printed = await runJson(["migrate", "--print", "--row-level-security"], variables)
  const security = String(Object(printed).sql)
  // Twice, as after a later migration.
  await run(security)
  await run(security)
  const url = new URL(postgresUrl)
  url.username = role
  url.password = password
  return {
    variables: { ...variables, DATABASE_URL: url.href, DATABASE_ROW_LEVEL_SECURITY: "true" },
    run,
    drop: () => run(`drop owned by ${role}; drop role ${role}`)
  }
}
