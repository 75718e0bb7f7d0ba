import { PgClient } from "@solar-sites/adapter-postgres"
import { CurrentCaller, EventRepository, type OrganisationId, Organisations } from "@solar-sites/core"
import { DateTime, Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { makeCommands } from "../../../src/accounts/Commands.ts"
import { deleteExpiredLinks } from "../../../src/accounts/login/LinkStatements.ts"
import { userLinks } from "../../../src/accounts/login/UserLinks.ts"
import { operatorOf } from "../../../src/accounts/people/Authority.ts"
import type { User } from "../../../src/accounts/people/User.ts"
import { userAdministration, userChanges } from "../../../src/accounts/people/Users.ts"
import {
  changePassword,
  endManagedSessions,
  endSessions,
  findsOfPassword,
  liveSessions
} from "../../../src/accounts/sessions/SessionRules.ts"
import { accountDatabases } from "../AccountDatabases.ts"
import { decide, passwordOf, word } from "../AccountsSetup.ts"
import { type LinksSetup, linksSetup } from "./LinksSetup.ts"

const other = "another horse battery"
const addressOf = () => `ada.${crypto.randomUUID()}@example.com`

const databases = accountDatabases(
  "set a new password, once, and end all sessions",
  "are listed and ended by their user alone"
)

describe.each(databases)("links of users on %s", (_, isMissing, variables, it) => {
  describe.skipIf(isMissing)("that is there", () => {
    let setup: LinksSetup

    beforeAll(async () => {
      setup = linksSetup(variables())
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    const issue = async (user: User, purpose: "reset" | "email", email = user.email) => {
      const issued = await setup.run(Effect.flatMap(userLinks, (links) => links.issue(user, purpose, email)))
      return issued === null ? "" : Redacted.value(issued.token)
    }
    const reset = (token: string, text = other) =>
      Effect.flatMap(userLinks, (links) => links.setPassword(token, passwordOf(text)))
    const confirm = (token: string) => Effect.flatMap(userLinks, (links) => links.confirmEmail(token))

    const changesOf = async (organisationId: OrganisationId) => {
      const page = { after: null, limit: 100, order: "asc" } as const
      const { items } = await setup.run(EventRepository.use((events) => events.list(organisationId, {}, page)))
      return items.filter(({ type }) => type === "user.updated").map(({ actor, changes }) => [actor.userId, changes])
    }

    it("set a new password, once, and end all sessions", async () => {
      const { organisationId, user } = await setup.join()
      const session = await setup.logIn(user.email)
      const token = await issue(user, "reset")
      expect(await setup.run(reset(token))).toMatchObject({ id: user.id, email: user.email })
      expect(await setup.find(session)).toBeUndefined()
      expect(await setup.refusal(user.email)).toBe("LoginFailed")
      expect(await setup.find(await setup.logIn(user.email, other))).toBeDefined()
      expect(await setup.outcome(reset(token, word))).toBe("LinkInvalid")
      expect(await changesOf(organisationId)).toEqual([[user.id, { password: { from: null, to: null } }]])
    })

    it("let one of several concurrent uses win", async () => {
      const { organisationId, user } = await setup.join()
      const token = await issue(user, "reset")
      const uses = Array.from({ length: 6 }, (_, n) => setup.outcome(reset(token, `${other} ${n}`)))
      expect((await Promise.all(uses)).toSorted()).toEqual([...Array.from({ length: 5 }, () => "LinkInvalid"), "done"])
      expect(await changesOf(organisationId)).toHaveLength(1)
      const confirmation = await issue(user, "email", addressOf())
      const confirmations = await Promise.all(Array.from({ length: 6 }, () => setup.outcome(confirm(confirmation))))
      expect(confirmations.toSorted()).toEqual([...Array.from({ length: 5 }, () => "LinkInvalid"), "done"])
      expect(await changesOf(organisationId)).toHaveLength(2)
    })

    it("leave no session of a login with the old password", async () => {
      for (let round = 0; round < 5; round++) {
        const { user } = await setup.join()
        const token = await issue(user, "reset")
        const [login] = await Promise.allSettled([setup.logIn(user.email), setup.run(reset(token))])
        if (login.status === "fulfilled") expect(await setup.find(login.value)).toBeUndefined()
      }
    })

    it("are made, used and deleted with their user at once, without errors", async () => {
      for (let round = 0; round < 10; round++) {
        const { organisationId, user } = await setup.join()
        const token = await issue(user, "reset")
        const outcomes = await Promise.all([
          setup.outcome(Effect.flatMap(userLinks, (links) => links.issue(user, "email", addressOf()))),
          setup.outcome(Effect.flatMap(userLinks, (links) => links.issue(user, "reset", user.email))),
          setup.outcome(reset(token)),
          setup.outcome(Effect.flatMap(userChanges, (users) => users.delete(user.id, operatorOf(organisationId))))
        ])
        expect(outcomes.filter((outcome) => outcome !== "done" && outcome !== "LinkInvalid")).toEqual([])
      }
    })

    it("end when they are replaced or expired, with the password, the user and the organisation", async () => {
      const ends: ReadonlyArray<(user: User, organisationId: OrganisationId) => Promise<unknown>> = [
        async (user) => {
          await issue(user, "reset")
          await issue(user, "email", addressOf())
        },
        (user) =>
          setup.run(Effect.flatMap(userAdministration, (users) => users.setPassword(user.id, passwordOf(other)))),
        (user, organisationId) =>
          setup.run(Effect.flatMap(userChanges, (users) => users.delete(user.id, operatorOf(organisationId)))),
        (_, organisationId) =>
          setup.run(Organisations.use(({ update }) => update(organisationId, { status: "inactive" }))),
        async () => setup.advance("24 hours")
      ]
      for (const end of ends) {
        const { organisationId, user } = await setup.join()
        const [password, email] = [await issue(user, "reset"), await issue(user, "email", addressOf())]
        await end(user, organisationId)
        expect([await setup.outcome(reset(password)), await setup.outcome(confirm(email))]).toEqual([
          "LinkInvalid",
          "LinkInvalid"
        ])
      }
      const { user } = await setup.join()
      const token = await issue(user, "reset")
      expect(await setup.outcome(confirm(token))).toBe("LinkInvalid")
      setup.advance("1 hour")
      expect(await setup.outcome(reset(token))).toBe("LinkInvalid")
      await setup.run(PgClient.use((client) => deleteExpiredLinks(client)(Number.MAX_SAFE_INTEGER / 1_000)))
    })

    it("change the e-mail address, and end the links to the old one", async () => {
      const { organisationId, user } = await setup.join()
      const session = await setup.logIn(user.email)
      const password = await issue(user, "reset")
      const email = addressOf()
      const changed = await setup.run(confirm(await issue(user, "email", email)))
      expect(changed).toMatchObject({ emailBefore: user.email, user: { id: user.id, email } })
      expect(await setup.outcome(reset(password))).toBe("LinkInvalid")
      expect((await setup.find(session))?.user.email).toBe(email)
      expect(await setup.refusal(user.email)).toBe("LoginFailed")
      expect(await setup.find(await setup.logIn(email))).toBeDefined()
      expect(await changesOf(organisationId)).toEqual([[user.id, { email: { from: user.email, to: email } }]])
    })

    it("are not made once the given password is another one", async () => {
      const { user } = await setup.join()
      const issueWith = (passwordVersion: number) =>
        setup.run(Effect.flatMap(userLinks, (links) => links.issue({ ...user, passwordVersion }, "email", addressOf())))
      const before = await setup.passwordVersionOf(user)
      expect(await issueWith(before)).not.toBeNull()
      await setup.run(Effect.flatMap(userAdministration, (users) => users.setPassword(user.id, passwordOf(other))))
      expect(await issueWith(before)).toBeNull()
      expect(await issueWith(await setup.passwordVersionOf(user))).not.toBeNull()
    })

    it("do not take the e-mail address of another user", async () => {
      const [one, two] = [await setup.join(), await setup.join()]
      const token = await issue(one.user, "email", two.user.email.toUpperCase())
      expect(await setup.outcome(confirm(token))).toBe("EmailTaken")
      expect(await changesOf(one.organisationId)).toEqual([])
    })

    describe("and sessions of users", () => {
      const own = async (user: User) => {
        const token = await setup.logIn(user.email)
        const session = await setup.find(token)
        if (session === undefined) throw new Error("no session")
        const { caller } = session
        return { token, caller, own: session }
      }

      it("are listed and ended by their user alone", async () => {
        const [{ user }, stranger] = [await setup.join(), await setup.join()]
        const [first, second, third] = [await own(user), await own(user), await own(user)]
        const foreign = await own(stranger.user)
        const { organisationId } = first.own.user
        const { id: sessionId } = first.own
        const list = async () => {
          const loading = Effect.flatMap(makeCommands, ({ load }) =>
            load("test", organisationId, findsOfPassword(user.id))
          )
          return liveSessions(await setup.run(loading), user.id, DateTime.makeUnsafe(setup.now()))
        }
        expect((await list()).map(({ id, method }) => [id, method]).toSorted()).toEqual(
          [first, second, third].map(({ own }) => [own.id, "password"]).toSorted()
        )
        const end = (id: string) => setup.run(decide(endSessions(first.own.user, (session) => session.id === id)))
        expect([await end(foreign.own.id), await end("17"), await end(second.own.id)]).toEqual([false, false, true])
        expect([await setup.find(second.token), await setup.find(foreign.token)]).toEqual([
          undefined,
          expect.anything()
        ])
        await setup.run(decide(endSessions(first.own.user, ({ id }) => id !== sessionId)))
        expect((await list()).map(({ id }) => id)).toEqual([first.own.id])
        expect(await setup.find(third.token)).toBeUndefined()
      })

      it("are ended by managers of the user", async () => {
        const owner = await setup.join()
        const { user } = await setup.join(owner.organisationId, word, "admin")
        const session = await own(user)
        const end = (organisationId: OrganisationId, by: "owner" | "admin" | "member") =>
          setup.outcome(decide(endManagedSessions(user.id, { id: null, organisationId, role: by, portfolioIds: null })))
        expect(await end((await setup.join()).organisationId, "owner")).toBe("UserNotFound")
        expect(await end(owner.organisationId, "member")).toBe("RoleInsufficient")
        expect(await setup.find(session.token)).toBeDefined()
        expect(await end(owner.organisationId, "admin")).toBe("done")
        expect(await setup.find(session.token)).toBeUndefined()
      })

      it("end but for the own one with a change of the password, of which one wins", async () => {
        const { organisationId, user } = await setup.join()
        const [mine, elsewhere] = [await own(user), await own(user)]
        const change = (n: number) =>
          decide(changePassword(mine.own, { passwordVersion: 1 }, `new:${other} ${n}`)).pipe(
            Effect.provideService(CurrentCaller, mine.caller)
          )
        const won = await Promise.all(Array.from({ length: 5 }, (_, n) => setup.run(change(n))))
        expect(won.filter((one) => one)).toHaveLength(1)
        expect([await setup.find(mine.token), await setup.find(elsewhere.token)]).toEqual([
          expect.anything(),
          undefined
        ])
        expect(await changesOf(organisationId)).toEqual([[user.id, { password: { from: null, to: null } }]])
        expect(await setup.find(await setup.logIn(user.email, `${other} ${won.indexOf(true)}`))).toBeDefined()
      })
    })
  })
})
