/** Settings for unique schemas on the Postgres server of the run. */
import { randomBytes } from "node:crypto"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export const postgresUrl = inject("postgresUrl")

/** True without a server; the global setup prints the reason. */
export const withoutPostgres = postgresUrl === ""

const drop = (schema: string) =>
  PgClient.use((client) =>
    client.run({ operation: "drop", text: `drop schema if exists ${client.schema} cascade` })
  ).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(postgresUrl), schema, queryTimeout: "60 seconds" })),
    Effect.runPromise
  )

/** `next` returns settings of a new schema; `drop` removes all of them. */
export const ownSchemas = () => {
  const schemas: Array<string> = []
  return {
    next: () => {
      const schema = `test_${randomBytes(6).toString("hex")}`
      schemas.push(schema)
      // Longer than the default, for busy machines.
      return { DATABASE_URL: postgresUrl, DATABASE_SCHEMA: schema, QUERY_TIMEOUT: "20s" }
    },
    drop: async () => {
      for (const schema of schemas) await drop(schema)
    }
  }
}
