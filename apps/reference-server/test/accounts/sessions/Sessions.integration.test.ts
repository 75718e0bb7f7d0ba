import { PgClient } from "@solar-sites/adapter-postgres"
import { apiScopes, Organisations } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { userAdministration } from "../../../src/accounts/people/Users.ts"
import { digest, type SessionToken } from "../../../src/accounts/sessions/SessionToken.ts"
import { accountDatabases } from "../AccountDatabases.ts"
import { type AccountsSetup, accountsSetup, passwordOf, Sessions, word } from "../AccountsSetup.ts"

const databases = accountDatabases("end at once with a logout, the user, the password or the organisation")

describe.each(databases)("sessions on %s", (_, isMissing, variables, it) => {
  describe.skipIf(isMissing)("that is there", () => {
    let setup: AccountsSetup

    beforeAll(async () => {
      setup = accountsSetup(variables())
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    const stored = (tokens: ReadonlyArray<SessionToken>): Promise<number> =>
      setup.run(
        PgClient.use(({ run, schema }) => {
          const text = `select count(*)::text from ${schema}.console_session where encode(digest, 'hex') = any (string_to_array($1::text, ','))`
          return run({ operation: "count", text, parameters: [tokens.map(digest).join()] })
        }).pipe(Effect.map(([row]) => Number(row?.[0])))
      )

    it("stand for the user and the organisation, whatever the case of the e-mail address", async () => {
      const { organisationId, user } = await setup.join()
      const token = await setup.logIn(` ${user.email.toUpperCase()}`)
      expect(await setup.find(token)).toMatchObject({
        user: { id: user.id, email: user.email, name: "Ada", role: "owner" },
        organisation: { id: organisationId, name: "Test", status: "active" },
        caller: { organisationId, userId: user.id, apiKeyId: null }
      })
    })

    it("are stored as digests only", async () => {
      const { user } = await setup.join()
      const token = await setup.logIn(user.email)
      const dump = await setup.run(
        PgClient.use(({ run, schema }) =>
          run({
            operation: "dump",
            text: `select to_json(s)::text from ${schema}.console_session s where s.user_id = $1::uuid`,
            parameters: [user.id]
          })
        )
      )
      expect(dump).toHaveLength(1)
      expect(dump[0]?.[0]).toContain(digest(token))
      expect(dump[0]?.[0]).not.toContain(Redacted.value(token))
    })

    it("have a new token per login, which ends only the replaced session", async () => {
      const { user } = await setup.join()
      const [first, elsewhere] = [await setup.logIn(user.email), await setup.logIn(user.email)]
      const second = await setup.logIn(user.email, word, first)
      expect(new Set([first, elsewhere, second].map(Redacted.value)).size).toBe(3)
      expect([await setup.find(first), await setup.find(elsewhere), await setup.find(second)]).toEqual([
        undefined,
        expect.anything(),
        expect.anything()
      ])
    })

    it("end that of another organisation which the browser had", async () => {
      const [ada, bob] = [await setup.join(), await setup.join()]
      const [replaced, elsewhere] = [await setup.logIn(ada.user.email), await setup.logIn(ada.user.email)]
      const token = await setup.logIn(bob.user.email, word, replaced)
      expect((await setup.find(token))?.organisation.id).toBe(bob.organisationId)
      expect(await setup.find(replaced)).toBeUndefined()
      expect((await setup.find(elsewhere))?.organisation.id).toBe(ada.organisationId)
    })

    it("are at most 100 of a user: a further one ends the one that would end first", async () => {
      const [{ user }, other] = [await setup.join(), await setup.join()]
      const kept = await setup.logIn(other.user.email)
      const tokens: Array<SessionToken> = []
      while (tokens.length < 103) tokens.push(await setup.logIn(user.email))
      expect(await stored(tokens)).toBe(100)
      const [first, , , fourth] = tokens
      expect(first && (await setup.find(first))).toBeUndefined()
      expect(fourth && (await setup.find(fourth))).toBeDefined()
      expect(await setup.find(kept)).toBeDefined()
      await setup.logIn(user.email, word, fourth)
      expect(await stored(tokens)).toBe(99)
    })

    it("never use a token given by the client", async () => {
      const { user } = await setup.join()
      const brought = Redacted.make("A".repeat(43))
      const token = await setup.logIn(user.email, word, brought)
      expect(Redacted.value(token)).not.toBe(Redacted.value(brought))
      expect(await setup.find(brought)).toBeUndefined()
    })

    it("verify once per login, also for unknown users, with the same refusal", async () => {
      const { user } = await setup.join()
      const inactive = await setup.join()
      await setup.run(
        Organisations.use((organisations) => organisations.update(inactive.organisationId, { status: "inactive" }))
      )
      for (const [email, password, hash] of [
        [user.email, "not the right words", `new:${word}`],
        ["nobody@example.com", word, undefined],
        ["no address at all\0", word, undefined],
        [user.email, "short", `new:${word}`],
        [user.email, "x".repeat(5_000), `new:${word}`],
        [user.email, "lone \ud800 surrogate", `new:${word}`],
        [inactive.user.email, word, `new:${word}`]
      ] as const) {
        setup.hasher.verified.length = 0
        expect([email, password, await setup.refusal(email, password)]).toEqual([email, password, "LoginFailed"])
        expect(setup.hasher.verified).toEqual([hash])
      }
    })

    it("allow what the role of the user allows", async () => {
      const reading = apiScopes.filter((scope) => scope.endsWith(":read"))
      const working = ["sites:write", "portfolios:write", "documents:write", "documents:approve"]
      const member = apiScopes.filter((scope) => [...reading, ...working].includes(scope))
      const { organisationId } = await setup.join()
      for (const [role, scopes] of [
        ["owner", undefined],
        ["admin", undefined],
        ["member", member],
        ["viewer", reading]
      ] as const) {
        const { user } = await setup.join(organisationId, word, role)
        const session = await setup.find(await setup.logIn(user.email))
        expect([session?.user.role, session?.caller.scopes]).toEqual([role, scopes])
      }
    })

    it("are opened for users who are authenticated without a password, unless it has changed", async () => {
      const { user } = await setup.join()
      const replaces = await setup.logIn(user.email)
      const open = (passwordVersion: number) =>
        setup.run(
          Sessions.use((sessions) =>
            sessions.open({ user, passwordVersion }, { method: "oidc", replaces, userAgent: "x".repeat(301) })
          )
        )
      const { session, token } = await open(1)
      expect(await setup.find(token)).toEqual(session)
      expect(await setup.find(replaces)).toBeUndefined()
      const row = await setup.run(
        PgClient.use(({ run, schema }) => {
          const text = `select method, user_agent, used_at::text from ${schema}.console_session where user_id = $1::uuid`
          return run({ operation: "read", text, parameters: [user.id] })
        })
      )
      expect(row).toEqual([["oidc", "x".repeat(300), null]])
      await expect(open(2)).rejects.toMatchObject({ _tag: "LoginFailed" })
    })

    it("end two hours after the last use, and twelve hours after the login in any case", async () => {
      const { user } = await setup.join()
      const [idle, used] = [await setup.logIn(user.email), await setup.logIn(user.email)]
      const began = await setup.find(used)
      for (let hours = 0; hours < 11; hours++) {
        setup.advance("1 hour")
        expect(await setup.find(used)).toEqual(began)
      }
      expect(await setup.find(idle)).toBeUndefined()
      setup.advance("59 minutes")
      expect(await setup.find(used)).toEqual(began)
      setup.advance("1 minute")
      expect(await setup.find(used)).toBeUndefined()
    })

    it("are deleted after they have ended", async () => {
      const { user } = await setup.join()
      const tokens = [await setup.logIn(user.email), await setup.logIn(user.email)]
      const remove = () => setup.deleteEnded()
      await remove()
      expect(await stored(tokens)).toBe(2)
      setup.advance("2 hours")
      await remove()
      expect(await stored(tokens)).toBe(0)
    })

    it("end at once with a logout, the user, the password or the organisation", async () => {
      const ends: ReadonlyArray<
        (person: Awaited<ReturnType<AccountsSetup["join"]>>, token: SessionToken) => Promise<unknown>
      > = [
        (_, token) => setup.run(Sessions.use((sessions) => sessions.end(digest(token)))),
        ({ user }) => setup.run(Effect.flatMap(userAdministration, (users) => users.delete(user.id))),
        ({ user }) =>
          setup.run(
            Effect.flatMap(userAdministration, (users) =>
              users.setPassword(user.id, passwordOf("another word entirely"))
            )
          ),
        ({ organisationId }) =>
          setup.run(Organisations.use((organisations) => organisations.update(organisationId, { status: "inactive" })))
      ]
      const bystander = await setup.join()
      const other = await setup.logIn(bystander.user.email)
      for (const end of ends) {
        const person = await setup.join()
        const token = await setup.logIn(person.user.email)
        await end(person, token)
        expect(await setup.find(token)).toBeUndefined()
        expect(await stored([token])).toBe(0)
      }
      expect(await setup.find(other)).toBeDefined()
    })

    it("do not come back with their organisation", async () => {
      const { organisationId, user } = await setup.join()
      const token = await setup.logIn(user.email)
      for (const status of ["inactive", "active"] as const) {
        await setup.run(Organisations.use((organisations) => organisations.update(organisationId, { status })))
      }
      expect(await setup.find(token)).toBeUndefined()
      expect(await setup.find(await setup.logIn(user.email))).toBeDefined()
    })

    it("survive a new name of the organisation", async () => {
      const { organisationId, user } = await setup.join()
      const token = await setup.logIn(user.email)
      await setup.run(Organisations.use((organisations) => organisations.update(organisationId, { name: "Renamed" })))
      expect((await setup.find(token))?.organisation.name).toBe("Renamed")
    })

    it("rehash an outdated password, and stay valid", async () => {
      setup.hasher.makes("old")
      const { user } = await setup.join()
      setup.hasher.makes("new")
      const first = await setup.logIn(user.email)
      setup.hasher.verified.length = 0
      await setup.logIn(user.email)
      expect(setup.hasher.verified).toEqual([`new:${word}`])
      expect(await setup.find(first)).toBeDefined()
    })
  })
})
