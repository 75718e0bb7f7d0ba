import { PgClient } from "@solar-sites/adapter-postgres"
import { Organisations } from "@solar-sites/core"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { userLinks } from "../../src/accounts/login/UserLinks.ts"
import { userAdministration } from "../../src/accounts/people/Users.ts"
import { endSessions } from "../../src/accounts/sessions/SessionRules.ts"
import type { SessionToken } from "../../src/accounts/sessions/SessionToken.ts"
import { digest } from "../../src/accounts/sessions/SessionToken.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "../ExternalDatabase.ts"
import { type AccountsSetup, accountsSetup, decide, type Person, passwordOf, Sessions } from "./AccountsSetup.ts"

const schemas = ownSchemas()

type Change = (setup: AccountsSetup, person: Person, token: SessionToken, sessionId: string) => Promise<unknown>

const newPassword: Change = ({ run }, { user }) =>
  run(
    Effect.flatMap(userAdministration, ({ setPassword }) => setPassword(user.id, passwordOf("another horse battery")))
  )

/** Each with the table of the row that it locks after that of the organisation. */
const changes: ReadonlyArray<readonly [string, string, Change]> = [
  ["a logout", "console_session", ({ run }, _, token) => run(Sessions.use(({ end }) => end(digest(token))))],
  [
    "the end of a session of a list",
    "console_session",
    ({ run }, { organisationId, user }, _, id) =>
      run(decide(endSessions({ organisationId, id: user.id }, (session) => session.id === id)))
  ],
  ["the purge of ended sessions", "console_session", ({ deleteEnded, now }) => deleteEnded(now() + 86_400_000)],
  ["a new password", "console_user", newPassword],
  [
    "a link for a new password",
    "console_user",
    ({ run }, { user }) => run(Effect.flatMap(userLinks, ({ issue }) => issue(user, "reset", user.email)))
  ]
]

describe.skipIf(withoutPostgres)("locks of statements on users and sessions", () => {
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

  /** Counts the rows of the organisation that no transaction has locked. */
  const freeRows = async (table: string, organisationId: string) => {
    const column = table === "organisation" ? "id" : "organisation_id"
    const text = `select count(*)::int from (select from SCHEMA.${table} where ${column} = '${organisationId}' for update skip locked) x`
    return (await run(0, text))[0]?.[0]
  }

  it.each(changes)("begin with the organisation, as its deletion does: %s", async (_, table, change) => {
    const person = await setup.join()
    const { organisationId, user } = person
    const token = await setup.logIn(user.email)
    const sessionId = (await setup.find(token))?.id ?? ""
    const key = `hashtext('${organisationId}')`
    await run(0, `select pg_advisory_lock(${key})`)
    const backend = Number((await run(1, "select pg_backend_pid()"))[0]?.[0])
    const deleting = run(
      1,
      `with o as materialized (select id from SCHEMA.organisation where id = '${organisationId}' for update)
       select pg_advisory_xact_lock(${key})::text from o`
    )
    const waiting: Array<Promise<unknown>> = [deleting]
    try {
      await expect.poll(() => freeRows("organisation", organisationId), { timeout: 30_000 }).toBe(0)
      waiting.push(change(setup, person, token, sessionId))
      const blocked = `select count(*)::int from pg_stat_activity where ${backend} = any (pg_blocking_pids(pid))`
      await expect.poll(async () => (await run(0, blocked))[0]?.[0], { timeout: 30_000 }).toBe(1)
      expect(await freeRows(table, organisationId)).toBe(1)
    } finally {
      await run(0, `select pg_advisory_unlock(${key})`)
      await Promise.all(waiting)
    }
  })

  it.each([
    ["a deactivation", "deactivate"],
    ["a new password", "password"]
  ])("come before that of the events: %s", async (_, change) => {
    const person = await setup.join()
    const { organisationId, user } = person
    const token = await setup.logIn(user.email)
    const key = `hashtext('${organisationId}')`
    await run(0, `select pg_advisory_lock(${key})`)
    const sequence = run(
      1,
      `with q as materialized (
         select organisation_id from SCHEMA.event_sequence where organisation_id = '${organisationId}' for update
       ) select pg_advisory_xact_lock(${key})::text from q`
    )
    const isFree = async (table: string) => (await freeRows(table, organisationId)) === 1
    const waiting: Array<Promise<unknown>> = [sequence]
    try {
      await expect.poll(() => isFree("event_sequence"), { timeout: 30_000 }).toBe(false)
      waiting.push(
        change === "password"
          ? newPassword(setup, person, token, "")
          : setup.run(Organisations.use(({ update }) => update(organisationId, { status: "inactive" })))
      )
      // It waits for the sequence, with the session locked.
      await expect.poll(() => isFree("console_session"), { timeout: 30_000 }).toBe(false)
    } finally {
      await run(0, `select pg_advisory_unlock(${key})`)
      await Promise.all(waiting)
    }
  })
})
