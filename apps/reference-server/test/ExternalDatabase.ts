/**
 * Schemas of their own on the Postgres server of the run, as the server's
 * settings name them.
 */
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

/** True where there is no server, which the setup of the run has said why. */
export const withoutPostgres = postgresUrl === ""

const drop = (schema: string) =>
  PgClient.use((client) =>
    client.run({ operation: "drop", text: `drop schema if exists ${client.schema} cascade` })
  ).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(postgresUrl), schema, queryTimeout: "60 seconds" })),
    Effect.runPromise
  )

/** Gives the settings for schemas that do not exist yet, and removes them all at the end. */
export const ownSchemas = () => {
  const schemas: Array<string> = []
  return {
    next: () => {
      const schema = `test_${randomBytes(6).toString("hex")}`
      schemas.push(schema)
      // A machine that does everything at once may keep a statement waiting; that is not what these tests are about.
      return { DATABASE_URL: postgresUrl, DATABASE_SCHEMA: schema, QUERY_TIMEOUT: "20s" }
    },
    drop: async () => {
      for (const schema of schemas) await drop(schema)
    }
  }
}
