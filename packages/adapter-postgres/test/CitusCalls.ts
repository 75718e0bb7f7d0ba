/**
 * What a client of a Citus cluster sends for each operation.
 */
import { PgClient, type PgParameter, type PgSql } from "@solar-sites/adapter-postgres"
import { Effect } from "effect"
import { hostPool } from "../src/client/PgPool.ts"
import { quoteSchema } from "../src/client/PgSchema.ts"
import { makeClient } from "../src/PgClient.ts"

interface Call {
  readonly operation: string
  readonly text: string
  readonly parameters: ReadonlyArray<PgParameter>
}

/** A client that records what it sends for each operation. */
export const recording = (sql: PgSql, schema: string) => {
  const calls: Array<Call> = []
  let operation = ""
  const listening: PgSql = {
    options: sql.options,
    unsafe: (text, parameters = [], ...rest) => {
      calls.push({ operation, text, parameters })
      return sql.unsafe(text, parameters, ...rest)
    }
  }
  const client = makeClient(hostPool(listening, { schema: quoteSchema(schema), mayBeDistributed: true }), {
    schema,
    queryTimeout: "30 seconds"
  })
  const service = PgClient.of({
    ...client,
    run: (statement) =>
      Effect.suspend(() => {
        operation = statement.operation
        return client.run(statement)
      }),
    batch: (statement) => {
      const run = client.batch(statement)
      return (...item) => {
        operation = statement.operation
        return run(...item)
      }
    }
  })
  return { calls, service }
}
