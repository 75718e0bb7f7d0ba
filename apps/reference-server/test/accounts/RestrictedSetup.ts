/**
 * A server with mail, digests and a provider of logins, as a role that row-level security restricts, through pgbouncer
 * where it is installed.
 */
import { PgClient, type PgScope } from "@solar-sites/adapter-postgres"
import { ManagedRuntime, Redacted } from "effect"
import type { Browser } from "../console/Browser.ts"
import { digestSetup } from "../digest/DigestSetup.ts"
import { mailServer } from "../mail/MailServer.ts"
import { operator } from "../Operator.ts"
import { pooled } from "../Pooler.ts"
import { restricted } from "../Restricted.ts"
import { serve } from "../ServerInProcess.ts"
import type { Variables } from "../SolarSitesProcess.ts"
import { openIdSetup } from "./identity/OpenIdSetup.ts"

/** The schema has a user of another organisation. The digest of that user is due. */
const prepared = async (variables: Variables) => {
  const schema = variables["DATABASE_SCHEMA"] ?? ""
  const digests = digestSetup(variables)
  const other = await digests.ownerInNeed()
  const since = "update SCHEMA.console_user set digest = 'daily', digest_since = '2020-01-01' where id = $1::uuid"
  await digests.sql(`${since} returning 1`, other.user.id)
  const database = await restricted(variables, schema)
  const url = Redacted.make(database.variables.DATABASE_URL)
  const pooler = await pooled(Redacted.value(url))
  const settings = { ...database.variables, ...pooler?.variables }
  return {
    ...{ digests, other, database, pooler, settings },
    people: operator(settings, "require"),
    client: ManagedRuntime.make(PgClient.layer({ url, schema, rowLevelSecurity: true, queryTimeout: "20 seconds" }))
  }
}

export const restrictedSetup = async () => {
  const mails = await mailServer()
  const ready = Promise.withResolvers<Awaited<ReturnType<typeof prepared>>>()
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: "Solar Sites <solar@example.com>",
    DIGEST_HOUR: "0",
    DIGEST_TIMEZONE: "UTC"
  }
  const setup = await openIdSetup(settings, async (variables) => {
    const all = await prepared(variables)
    ready.resolve(all)
    return serve(all.settings)
  })
  const { client, database, digests, other, people, pooler } = await ready.promise
  return {
    ...setup,
    ...{ mails, client, database, other, people },
    /** The first value of a statement of the role, in a scope. */
    run: async (scope: PgScope, text: string): Promise<unknown> => {
      const running = PgClient.use(({ run, schema }) =>
        run({ operation: "test", text: text.replaceAll("SCHEMA", schema), parameters: [], scope })
      )
      return (await client.runPromise(running))[0]?.[0]
    },
    /** A member with a session. */
    memberIn: async (organisationId = setup.organisationId) => {
      const member = await people.createUser(organisationId, "member", undefined, "member")
      const browser = setup.visitor()
      await browser.logIn(member)
      return { ...member, browser }
    },
    statusOf: async (browser: Browser) => (await browser.send("GET /console/session")).status,
    close: async () => {
      await people.close()
      await client.dispose()
      await digests.close()
      await setup.close()
      await pooler?.stop()
      await database.drop()
      await mails.close()
    }
  }
}

export type RestrictedSetup = Awaited<ReturnType<typeof restrictedSetup>>
