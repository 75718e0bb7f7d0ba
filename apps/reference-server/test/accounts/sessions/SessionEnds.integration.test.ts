import { PgClient } from "@solar-sites/adapter-postgres"
import { Organisations } from "@solar-sites/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { userAdministration } from "../../../src/accounts/people/Users.ts"
import { digest, generate, type SessionToken } from "../../../src/accounts/sessions/SessionToken.ts"
import { accountDatabases } from "../AccountDatabases.ts"
import { type AccountsSetup, accountsSetup, type Person, passwordOf, Sessions } from "../AccountsSetup.ts"

describe.each(accountDatabases())("ends of sessions on %s", (_, isMissing, variables, it) => {
  describe.skipIf(isMissing)("that is there", () => {
    let setup: AccountsSetup

    beforeAll(async () => {
      setup = accountsSetup(variables())
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    const endOf = (token: SessionToken) => setup.run(Sessions.use(({ findEnd }) => findEnd(digest(token))))
    const reasonOf = async (token: SessionToken) => (await endOf(token))?.reason ?? null

    const withSession = async (): Promise<Person & { readonly token: SessionToken }> => {
      const person = await setup.join()
      return { ...person, token: await setup.logIn(person.user.email) }
    }

    /** Moves the ends of a session into the past, by hours. */
    const age = (token: SessionToken, endsAgo: number, expiresAgo: number) =>
      setup.run(
        PgClient.use(({ run, schema }) =>
          run({
            operation: "age",
            text: `update ${schema}.console_session set ends_at = now() - make_interval(hours => $2::int),
                     expires_at = now() - make_interval(hours => $3::int)
                   where digest = decode($1::text, 'hex') returning id`,
            parameters: [digest(token), endsAgo, expiresAgo]
          })
        )
      )

    const sweep = (hoursAhead = 0) => setup.deleteEnded(setup.now() + hoursAhead * 3_600_000)

    it("have the reason password after a new password, with its time", async () => {
      const { token, user } = await withSession()
      expect(await endOf(token)).toBeNull()
      await setup.run(
        Effect.flatMap(userAdministration, ({ setPassword }) =>
          setPassword(user.id, passwordOf("another horse battery"))
        )
      )
      const end = await endOf(token)
      expect(end?.reason).toBe("password")
      // The clock of the database is that of this machine.
      expect(Math.abs((end?.at ?? 0) - Date.now())).toBeLessThan(600_000)
    })

    it("have the reason removed after the deletion of the user", async () => {
      const owner = await setup.join()
      const { user } = await setup.join(owner.organisationId)
      const token = await setup.logIn(user.email)
      await setup.run(Effect.flatMap(userAdministration, (users) => users.delete(user.id)))
      expect(await reasonOf(token)).toBe("removed")
    })

    it("have the reason ended after an end on another device or with the organisation", async () => {
      const [first, second] = [await withSession(), await withSession()]
      await setup.run(Sessions.use(({ end }) => end(digest(first.token))))
      await setup.run(Organisations.use(({ update }) => update(second.organisationId, { status: "inactive" })))
      expect([await reasonOf(first.token), await reasonOf(second.token)]).toEqual(["ended", "ended"])
    })

    it("tell disuse from the longest life, before and after the sweep", async () => {
      const [idle, expired, live] = [await withSession(), await withSession(), await withSession()]
      await age(idle.token, 1, -9)
      await age(expired.token, 1, 1)
      const reasons = async () => [
        await reasonOf(idle.token),
        await reasonOf(expired.token),
        await reasonOf(live.token)
      ]
      expect(await reasons()).toEqual(["idle", "expired", null])
      await sweep()
      expect(await reasons()).toEqual(["idle", "expired", null])
    })

    it("are moved by a use, and not those of a session with the same id in another organisation", async () => {
      const [ada, bob] = [await withSession(), await withSession()]
      const ofUser = (person: typeof ada, text: string, ...parameters: ReadonlyArray<string>) =>
        setup.run(
          PgClient.use(({ run, schema }) => {
            const parts = { operation: "test", parameters: [person.user.id, ...parameters] }
            return run({ ...parts, text: text.replaceAll("SESSION", `${schema}.console_session`) })
          })
        )
      await ofUser(
        bob,
        `update SESSION set id = (select s.id from SESSION s where s.user_id = $2::uuid) where user_id = $1::uuid
         returning id`,
        ada.user.id
      )
      await age(ada.token, -1, -9)
      const stored = (person: typeof ada) =>
        ofUser(person, "select ends_at::text from SESSION where user_id = $1::uuid")
      const [moved, kept] = [await stored(ada), await stored(bob)]
      expect(await setup.find(ada.token)).toBeDefined()
      expect(await stored(ada)).not.toEqual(moved)
      expect(await stored(bob)).toEqual(kept)
    })

    it("are unknown of other tokens, after seven days, and after the deletion of the organisation", async () => {
      const { organisationId, token, user } = await withSession()
      expect(await reasonOf(await setup.run(generate))).toBeNull()
      await setup.run(Sessions.use(({ end }) => end(digest(token))))
      await sweep(6 * 24)
      expect(await reasonOf(token)).toBe("ended")

      const other = await withSession()
      await setup.run(Sessions.use(({ end }) => end(digest(other.token))))
      await setup.run(Effect.flatMap(userAdministration, (users) => users.delete(user.id)))
      await setup.run(
        PgClient.use(({ run, schema }) => {
          const text = `delete from ${schema}.organisation where id = $1::uuid returning id`
          return run({ operation: "delete", text, parameters: [organisationId] })
        })
      )
      expect([await reasonOf(token), await reasonOf(other.token)]).toEqual([null, "ended"])
      await sweep(7 * 24 + 1)
      expect(await reasonOf(other.token)).toBeNull()
    })
  })
})
