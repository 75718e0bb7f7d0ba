/** A database of the version before records: its users, sessions, second factors, links and identities stay. */
import { PgClient, withMigrations } from "@solar-sites/adapter-postgres"
import { OrganisationId, UserId } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { identityLookUps } from "../../src/accounts/identity/IdentityLookUps.ts"
import { userLinks } from "../../src/accounts/login/UserLinks.ts"
import { migrations } from "../../src/accounts/migrations/migrations.ts"
import { SecondFactors } from "../../src/accounts/second-factor/SecondFactors.ts"
import { changePassword } from "../../src/accounts/sessions/SessionRules.ts"
import * as SessionToken from "../../src/accounts/sessions/SessionToken.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "../ExternalDatabase.ts"
import { accountsSetup, decide } from "./AccountsSetup.ts"

const earlier = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "console_0013_records")
)
const organisationId = OrganisationId.make("0190b2a0-0000-7000-8000-000000000001")
const userId = UserId.make("0190b2a0-0000-7000-8000-000000000002")
const token = Redacted.make("t".repeat(43))
const identity = { issuer: "https://login.example.com", subject: "ada" }

/** As the statements of that version stored them. */
const rows = (schema: string) => `
insert into ${schema}.organisation (id, name, status) values ('${organisationId}', 'Meadow', 'active');
insert into ${schema}.console_user
  (organisation_id, id, login, email, name, password_hash, password_version, created_at, role)
  values ('${organisationId}', '${userId}', 'ada@example.com', 'Ada@example.com', 'Ada', 'new:word', 3, now(), 'owner');
insert into ${schema}.console_session
  (organisation_id, user_id, digest, password_version, created_at, expires_at, ends_at, method)
  values ('${organisationId}', '${userId}', decode('${SessionToken.digest(token)}', 'hex'), 3, now(),
    now() + interval '12 hours', now() + interval '2 hours', 'password');
insert into ${schema}.console_second_factor (organisation_id, user_id, secret, enabled_at, last_step, recovery_codes)
  values ('${organisationId}', '${userId}', '\\xaabb', now(), 7, array['\\x01'::bytea, '\\x02']);
insert into ${schema}.console_identity (organisation_id, user_id, issuer, subject, created_at)
  values ('${organisationId}', '${userId}', '${identity.issuer}', '${identity.subject}', now());
insert into ${schema}.console_link
  (organisation_id, id, purpose, digest, user_id, password_version, login, email, created_at, expires_at)
  values ('${organisationId}', gen_random_uuid(), 'reset', '\\xcc', '${userId}', 3, 'ada@example.com',
    'Ada@example.com', now(), now() + interval '1 hour');`

describe.skipIf(withoutPostgres)("an upgrade to records", () => {
  const schemas = ownSchemas()
  afterAll(() => schemas.drop())

  it("keeps users, sessions, second factors, identities and links", async () => {
    const variables = schemas.next()
    const url = Redacted.make(postgresUrl)
    const store = Effect.gen(function* () {
      yield* withMigrations(earlier).migrate
      const { run, schema } = yield* PgClient
      yield* run({ operation: "test", text: rows(schema) })
    })
    await Effect.runPromise(Effect.provide(store, PgClient.layer({ url, schema: variables.DATABASE_SCHEMA })))

    const setup = accountsSetup(variables)
    try {
      const session = await setup.find(token)
      expect(session).toMatchObject({ user: { id: userId, role: "owner" }, organisation: { id: organisationId } })
      const owner = { id: userId, organisationId }
      const factor = await setup.run(SecondFactors.use((factors) => factors.find(owner)))
      expect(factor).toMatchObject({ secret: "aabb", passwordVersion: 3, recoveryCodesLeft: 2 })
      const links = Effect.flatMap(userLinks, (all) => all.find("reset", "cc"))
      expect(await setup.run(links)).toMatchObject({ organisationId, id: userId })
      const known = PgClient.use((client) => identityLookUps(client).find(identity, undefined))
      expect(await setup.run(known)).toMatchObject({
        identity: { known: { user: { id: userId } } }
      })

      // A record of before is changed as any other one.
      const own = { id: session?.id ?? "", user: owner }
      const changing = changePassword(own, { passwordVersion: 3 }, "new:another horse battery")
      expect(await setup.run(decide(changing))).toBe(true)
      expect((await setup.find(token))?.id).toBe(session?.id)
      expect(await setup.refusal("ada@example.com", "another horse battery")).toBe("SecondFactorRequired")
    } finally {
      await setup.close()
    }
  })
})
