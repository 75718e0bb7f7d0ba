import postgres from "postgres"
import { afterAll, beforeAll, describe, it } from "vitest"
import { randomSchema, postgresUrl as url, withoutPostgres } from "../../../packages/adapter-postgres/test/Databases.ts"
import { contestants } from "../../src/contestants/contestants.ts"
import { openField, type Running } from "../../src/contestants/processes.ts"
import { checkParity } from "../../src/parity/parity.ts"
import { type Database, prepare } from "../../src/services/database/database.ts"
import { workloads } from "../../src/workloads.ts"

// A contestant that does not start says why. Request lines are left out.
process.env["BENCH_LOGS"] = "1"

// Nothing is measured, so a busy machine changes nothing.
describe.skipIf(withoutPostgres)("the contestants of the benchmark", () => {
  const stops: Array<() => unknown> = []
  let database: Database
  let running: ReadonlyArray<Running> = []
  beforeAll(async () => {
    const schema = randomSchema()
    stops.unshift(async () => {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      await sql`drop schema if exists ${sql(schema)} cascade`
      await sql.end()
    })
    database = await prepare({ url, schema }, { freshKeys: 2, documents: 10 })
    stops.unshift(database.stop)
    const field = await openField(database, undefined, { LOG_LEVEL: "warn" })
    stops.unshift(field.stop)
    running = await Promise.all(contestants.map(field.start))
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  it("answer the requests of all workloads alike", () => checkParity(running, database, workloads))
})
