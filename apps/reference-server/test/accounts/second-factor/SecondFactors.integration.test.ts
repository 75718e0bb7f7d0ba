import { Caller, CurrentCaller, EventRepository, UserId } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { requireSecondFactor } from "../../../src/accounts/organisation/OrganisationSettings.ts"
import { type Manager, operatorOf } from "../../../src/accounts/people/Authority.ts"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { userAdministration } from "../../../src/accounts/people/Users.ts"
import { disableFactor, resetFactor } from "../../../src/accounts/second-factor/FactorRules.ts"
import { SecondFactors } from "../../../src/accounts/second-factor/SecondFactors.ts"
import { digest } from "../../../src/accounts/sessions/SessionToken.ts"
import { accountDatabases } from "../AccountDatabases.ts"
import { type AccountsSetup, accountsSetup, decide, type Person, passwordOf, Sessions, word } from "../AccountsSetup.ts"
import { authenticator } from "./Authenticator.ts"

const databases = accountDatabases("accept each code once, also of concurrent logins")

describe.each(databases)("second factors on %s", (_, isMissing, variables, it) => {
  describe.skipIf(isMissing)("that is there", () => {
    let setup: AccountsSetup

    beforeAll(async () => {
      setup = accountsSetup(variables(), { isFrozen: true, isLimited: true })
      await setup.newOrganisation()
    })

    afterAll(() => setup.close())

    const factors = <A, E>(use: (factors: SecondFactors["Service"]) => Effect.Effect<A, E>) =>
      setup.run(SecondFactors.use(use))

    const refused = <A, E extends { readonly _tag: string }>(
      use: (factors: SecondFactors["Service"]) => Effect.Effect<A, E>
    ) => setup.run(Effect.map(Effect.flip(SecondFactors.use(use)), ({ _tag }) => _tag))

    /** The tag of the refusal, or `in`. */
    const tryLogIn = ({ user }: Person, code?: string, password = word) => {
      const login = { email: user.email, password, code, clientAddress: undefined, replaces: undefined }
      return setup.run(
        Sessions.use((sessions) =>
          Effect.match(sessions.logIn(login), { onSuccess: () => "in", onFailure: ({ _tag }) => _tag })
        )
      )
    }

    /** A user with an active factor. */
    const enabled = async () => {
      const person = await setup.join()
      const token = await setup.logIn(person.user.email)
      const { secret } = await factors((all) => all.begin(person.user))
      const code = authenticator(secret)
      const attempt = { code: code(setup.now()), clientAddress: undefined }
      const recoveryCodes = await factors((all) => all.enable(person.user, attempt, digest(token)))
      return { ...person, token, recoveryCodes, code: (ahead = 0) => code(setup.now(), ahead) }
    }

    it("are asked for at the login, after the password", async () => {
      const ada = await enabled()
      expect(await tryLogIn(ada, undefined)).toBe("SecondFactorRequired")
      expect(await tryLogIn(ada, " ")).toBe("SecondFactorRequired")
      expect(await tryLogIn(ada, ada.code(1), "not the right words")).toBe("LoginFailed")
      expect(await tryLogIn(ada, "000000x")).toBe("SecondFactorWrong")
      expect(await tryLogIn(ada, "1".repeat(5_000))).toBe("SecondFactorWrong")
      expect(await tryLogIn(ada, ada.code(2))).toBe("SecondFactorWrong")
      expect(await tryLogIn(ada, ` ${ada.code(1).slice(0, 3)} ${ada.code(1).slice(3)} `)).toBe("in")
    })

    it("accept each code once, also of concurrent logins", async () => {
      const ada = await enabled()
      expect(await tryLogIn(ada, ada.code())).toBe("SecondFactorWrong")
      setup.advance("1 minute")
      const code = ada.code()
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => tryLogIn(ada, code)))
      expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(1)
      expect(await tryLogIn(ada, ada.code(-1))).toBe("SecondFactorWrong")
      expect(await tryLogIn(ada, ada.code(1))).toBe("in")
    })

    it("accept each recovery code once, in any spelling", async () => {
      const ada = await enabled()
      expect(new Set(ada.recoveryCodes).size).toBe(10)
      for (const code of ada.recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/)
      const [first = "", second = ""] = ada.recoveryCodes
      expect(await tryLogIn(ada, first.replaceAll("-", " ").toUpperCase())).toBe("in")
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => tryLogIn(ada, second)))
      expect(outcomes.filter((outcome) => outcome === "in")).toHaveLength(1)
      expect(await tryLogIn(ada, first)).toBe("SecondFactorWrong")
      const state = await factors((all) => all.find(ada.user))
      expect(state?.recoveryCodesLeft).toBe(8)
    })

    it("get new recovery codes, which replace the old ones", async () => {
      const ada = await enabled()
      const [old = ""] = ada.recoveryCodes
      const attempt = { code: ada.code(1), clientAddress: undefined }
      const [fresh = ""] = await factors((all) => all.renewRecoveryCodes(ada.user, attempt))
      expect(await tryLogIn(ada, old)).toBe("SecondFactorWrong")
      expect(await tryLogIn(ada, fresh)).toBe("in")
    })

    it("end all other sessions when they are switched on or off", async () => {
      const person = await setup.join()
      const [own, other] = [await setup.logIn(person.user.email), await setup.logIn(person.user.email)]
      const { secret } = await factors((all) => all.begin(person.user))
      const attempt = { code: authenticator(secret)(setup.now()), clientAddress: undefined }
      expect(await setup.find(other)).toBeDefined()
      await factors((all) => all.enable(person.user, attempt, digest(own)))
      expect([await setup.find(own), await setup.find(other)]).toEqual([expect.anything(), undefined])
      await setup.run(decide(disableFactor(person.user, null)))
      expect(await setup.find(own)).toBeUndefined()
      expect(await tryLogIn(person)).toBe("in")
    })

    it("refuse a login that was verified before they were switched on", async () => {
      const person = await setup.join()
      const token = await setup.logIn(person.user.email)
      const { secret } = await factors((all) => all.begin(person.user))
      const attempt = { code: authenticator(secret)(setup.now()), clientAddress: undefined }
      await factors((all) => all.enable(person.user, attempt, digest(token)))
      const stale = { user: person.user, passwordVersion: 1 }
      const open = Sessions.use((all) => all.open(stale, { method: "password", replaces: undefined }))
      expect((await setup.run(Effect.flip(open)))._tag).toBe("LoginFailed")
    })

    it("are switched on once, with a code of the newest secret", async () => {
      const person = await setup.join()
      const session = digest(await setup.logIn(person.user.email))
      const attempt = (secret: string) => ({ code: authenticator(secret)(setup.now()), clientAddress: undefined })
      expect(await refused((all) => all.enable(person.user, attempt("A"), session))).toBe("SecondFactorState")
      const old = await factors((all) => all.begin(person.user))
      const { secret } = await factors((all) => all.begin(person.user))
      expect(await tryLogIn(person)).toBe("in")
      expect(await refused((all) => all.enable(person.user, attempt(old.secret), session))).toBe("SecondFactorWrong")
      const outcomes = await Promise.allSettled(
        Array.from({ length: 4 }, () => factors((all) => all.enable(person.user, attempt(secret), session)))
      )
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
      expect(refusals).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ isEnabled: true })))
      expect(await refused((all) => all.begin(person.user))).toBe("SecondFactorState")
    })

    it("limit wrong codes like wrong passwords", async () => {
      const ada = await enabled()
      for (let index = 0; index < 10; index++) expect(await tryLogIn(ada, "nothing")).toBe("SecondFactorWrong")
      expect(await tryLogIn(ada, ada.code(1))).toBe("LoginLimited")
      expect(await refused((all) => all.verify(ada.user, { code: "nothing", clientAddress: undefined }))).toBe(
        "LoginLimited"
      )
      setup.advance("15 minutes")
      expect(await tryLogIn(ada, ada.code())).toBe("in")
    })

    it("stay with a new password", async () => {
      const ada = await enabled()
      await setup.run(
        Effect.flatMap(userAdministration, (users) =>
          users.setPassword(ada.user.id, passwordOf("another horse battery"))
        )
      )
      expect(await tryLogIn(ada, undefined, "another horse battery")).toBe("SecondFactorRequired")
    })

    it("of an organisation that demands them limit its sessions by password, until they are set up", async () => {
      const ada = await enabled()
      const { user } = await setup.join(ada.organisationId)
      const token = await setup.logIn(user.email)
      const require = (isRequired: boolean) => setup.run(decide(requireSecondFactor(ada.organisationId, isRequired)))
      const states = async () => [
        (await setup.find(ada.token))?.mustSetUpSecondFactor,
        (await setup.find(token))?.mustSetUpSecondFactor
      ]
      expect(await states()).toEqual([false, false])
      await require(true)
      expect(await states()).toEqual([false, true])
      const authenticated = { user, passwordVersion: 1 }
      const byProvider = await setup.run(
        Sessions.use((all) => all.open(authenticated, { method: "oidc", replaces: undefined }))
      )
      expect(byProvider.session.mustSetUpSecondFactor).toBe(false)
      await require(false)
      expect(await states()).toEqual([false, false])
    })

    it("are removed by users who manage the user, and by the operator", async () => {
      const owner = await enabled()
      const { organisationId } = owner
      const member = (await setup.join(organisationId, word, "member")).user
      const by = (role: Role) => ({ id: UserId.make(crypto.randomUUID()), organisationId, role, portfolioIds: null })
      const reset = (userId: UserId, manager: Manager) =>
        setup.run(
          Effect.match(decide(resetFactor(userId, manager)), {
            onSuccess: () => "done",
            onFailure: ({ _tag }) => _tag
          })
        )
      expect(await reset(owner.user.id, by("admin"))).toBe("RoleInsufficient")
      expect(await reset(member.id, by("member"))).toBe("RoleInsufficient")
      expect(await reset(member.id, by("admin"))).toBe("SecondFactorState")
      expect(await reset(owner.user.id, operatorOf((await setup.newOrganisation()).id))).toBe("UserNotFound")
      expect(await setup.find(owner.token)).toBeDefined()
      expect(await reset(owner.user.id, by("owner"))).toBe("done")
      expect(await setup.find(owner.token)).toBeUndefined()
      expect(await tryLogIn(owner)).toBe("in")
      const operators = Effect.flatMap(userAdministration, (all) => Effect.flip(all.resetSecondFactor(owner.user.id)))
      expect((await setup.run(operators))._tag).toBe("SecondFactorState")
    })

    it("write events without a secret", async () => {
      const ada = await enabled()
      const [code = ""] = ada.recoveryCodes
      const caller = new Caller({ organisationId: ada.organisationId, userId: ada.user.id, apiKeyId: null })
      await tryLogIn(ada, code)
      await setup.run(Effect.provideService(decide(disableFactor(ada.user, null)), CurrentCaller, caller))
      await setup.run(decide(requireSecondFactor(ada.organisationId, true)))
      await setup.run(decide(requireSecondFactor(ada.organisationId, true)))
      const page = { after: null, limit: 100, order: "asc" } as const
      const { items } = await setup.run(EventRepository.use((events) => events.list(ada.organisationId, {}, page)))
      expect(items.map(({ actor, changes, type }) => [type, actor.userId, changes]).slice(1)).toEqual([
        ["user.logged_in", ada.user.id, { method: { from: null, to: "password" } }],
        ["user.updated", null, { secondFactor: { from: false, to: true } }],
        ["user.updated", null, { recoveryCodesLeft: { from: 10, to: 9 } }],
        ["user.logged_in", ada.user.id, { method: { from: null, to: "password" } }],
        ["user.updated", ada.user.id, { secondFactor: { from: true, to: false } }],
        ["organisation.updated", null, { requireSecondFactor: { from: false, to: true } }]
      ])
      expect(JSON.stringify(items)).not.toContain(code)
      expect(JSON.stringify(items)).not.toContain(Redacted.value(ada.token))
    })
  })
})
