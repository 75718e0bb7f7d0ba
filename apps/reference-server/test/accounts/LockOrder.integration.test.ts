import { PgClient } from "@solar-sites/adapter-postgres"
import { Organisations } from "@solar-sites/core"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Users } from "../../src/accounts/Users.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "../ExternalDatabase.ts"
import { type AccountsSetup, accountsSetup, passwordOf } from "./AccountsSetup.ts"

const schemas = ownSchemas()

describe.skipIf(withoutPostgres)("locks of statements that end sessions", () => {
  const scope = Scope.makeUnsafe()
  let setup: AccountsSetup
  let run: (connection: number, text: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>

  beforeAll(async () => {
    const variables = schemas.next()
    setup = accountsSetup(variables)
    const schema = variables.DATABASE_SCHEMA
    // One connection each.
    const layer = () =>
      Layer.fresh(PgClient.layer({ url: Redacted.make(postgresUrl), schema, poolSize: 1, queryTimeout: "20 seconds" }))
    const clients = await Promise.all(
      [layer(), layer()].map((one) =>
        Effect.runPromise(Effect.map(Layer.buildWithScope(one, scope), (built) => Context.get(built, PgClient)))
      )
    )
    run = async (connection, text) => {
      const statement = { operation: "test", text: text.replaceAll("SCHEMA", schema) }
      return await Effect.runPromise(clients[connection]?.run(statement) ?? Effect.succeed([]))
    }
  })

  afterAll(async () => {
    await setup.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await schemas.drop()
  })

  it.each([
    ["a deactivation", "deactivate"],
    ["a new password", "password"]
  ])("come before that of the events: %s", async (_, change) => {
    const { organisationId, user } = await setup.join()
    await setup.logIn(user.email)
    const key = `hashtext('${organisationId}')`
    await run(0, `select pg_advisory_lock(${key})`)
    const sequence = run(
      1,
      `with q as materialized (
         select organisation_id from SCHEMA.event_sequence where organisation_id = '${organisationId}' for update
       ) select pg_advisory_xact_lock(${key})::text from q`
    )
    const isFree = async (table: string) => {
      const text = `select count(*)::int from (select from SCHEMA.${table} where organisation_id = '${organisationId}' for update skip locked) x`
      return (await run(0, text))[0]?.[0] === 1
    }
    const waiting: Array<Promise<unknown>> = [sequence]
    try {
      await expect.poll(() => isFree("event_sequence")).toBe(false)
      waiting.push(
        change === "password"
          ? setup.run(Users.use(({ setPassword }) => setPassword(user.id, passwordOf("another horse battery"))))
          : setup.run(Organisations.use(({ update }) => update(organisationId, { status: "inactive" })))
      )
      // It waits for the sequence, with the session locked.
      await expect.poll(() => isFree("console_session"), { timeout: 10_000 }).toBe(false)
    } finally {
      await run(0, `select pg_advisory_unlock(${key})`)
      await Promise.all(waiting)
    }
  })
})
