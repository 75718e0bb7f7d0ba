/** Statements about users get ids of one organisation together with another organisation. */
import { ApiKeyOwners, type OrganisationId, Organisations } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { find } from "../../../src/accounts/Commands.ts"
import { loginDomains } from "../../../src/accounts/identity/LoginDomains.ts"
import { confirmEmail, issueLink, type LinkPurpose, resetPassword } from "../../../src/accounts/login/LinkRules.ts"
import { userLinks } from "../../../src/accounts/login/UserLinks.ts"
import {
  findsOfSettings,
  requireSecondFactor,
  settingsOf
} from "../../../src/accounts/organisation/OrganisationSettings.ts"
import { operatorOf } from "../../../src/accounts/people/Authority.ts"
import type { UserIds } from "../../../src/accounts/people/User.ts"
import { userLookUps } from "../../../src/accounts/people/UserLookUps.ts"
import { rehashPassword } from "../../../src/accounts/people/UserRules.ts"
import { listUsers, userChanges } from "../../../src/accounts/people/Users.ts"
import { factorKind } from "../../../src/accounts/second-factor/FactorKind.ts"
import {
  beginFactor,
  disableFactor,
  enableFactor,
  renewRecoveryCodes,
  useRecoveryCode,
  useStep
} from "../../../src/accounts/second-factor/FactorRules.ts"
import { SecondFactors } from "../../../src/accounts/second-factor/SecondFactors.ts"
import {
  changePassword,
  endManagedSessions,
  endSessions,
  findsOfPassword,
  liveSessions,
  openSession
} from "../../../src/accounts/sessions/SessionRules.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import type { Person } from "../AccountsSetup.ts"
import { aDigest, type ForeignSetup, foreignSetup } from "../ForeignSetup.ts"

const aSession = () => ({ id: crypto.randomUUID(), digest: aDigest(), method: "password", userAgent: null }) as const

describe.skipIf(withoutPostgres)("users of another organisation", () => {
  const schemas = ownSchemas()
  let setup: ForeignSetup
  let bob: Person

  const factorOf = (owner: UserIds) => setup.run(SecondFactors.use((factors) => factors.find(owner)))
  const begin = (owner: UserIds, secret: string) => setup.decide(beginFactor(owner, secret))
  const enable = (...factor: Parameters<typeof enableFactor>) => setup.decide(enableFactor(...factor))

  const issue = (owner: UserIds, link: Parameters<typeof issueLink>[1]) => setup.decide(issueLink(owner, link))

  /** A user with an active factor, a session and a link of each purpose. */
  const equipped = async (organisationId?: OrganisationId) => {
    const person = await setup.join(organisationId)
    const { user } = person
    const [secret, code, replaced] = [aDigest(), aDigest(), aDigest()]
    const now = setup.now()
    await begin(user, secret)
    const factor = { secret, step: 1, recoveryCodes: [code, replaced], now, keptSession: null }
    await enable(user, factor)
    const [session, reset, email] = [aDigest(), aDigest(), aDigest()]
    const ends = { createdAt: DateTime.makeUnsafe(now), expiresAt: DateTime.makeUnsafe(now + 1e9) }
    const links = { email: `x.${user.email}`, login: `x.${user.email}`, ...ends }
    for (const [purpose, digest] of [["reset", reset] as const, ["email", email] as const]) {
      const link = { ...links, id: crypto.randomUUID(), purpose, digest }
      expect(await issue(user, link)).toBe(true)
    }
    const values = [user.organisationId, user.id, session, crypto.randomUUID()]
    await setup.sql(
      `insert into SCHEMA.console_session
         (organisation_id, user_id, digest, password_version, created_at, expires_at, ends_at, id)
       values ($1::uuid, $2::uuid, decode($3, 'hex'), 2, now(), now() + interval '1 day', now() + interval '1 day',
         $4::uuid) returning id`,
      ...values
    )
    return { ...person, code, reset, email, links, sessionId: values[3] ?? "" }
  }

  beforeAll(async () => {
    setup = foreignSetup(schemas.next())
    bob = await equipped()
  })

  afterAll(async () => {
    await setup.close()
    await schemas.drop()
  })

  it("have no second factor, and get and lose none", async () => {
    const { code, user } = await equipped()
    const { user: begun } = await setup.join(user.organisationId)
    const secret = aDigest()
    await begin(begun, secret)
    const before = await setup.recordsOf(user.organisationId)
    const { organisationId } = bob
    const of = { id: user.id, organisationId }
    const ofBegun = { id: begun.id, organisationId }
    const factor = { secret, step: 1, recoveryCodes: [code], keptSession: null }
    expect(await factorOf(of)).toBeNull()
    const both = await setup.load(organisationId, [find(factorKind, "id", user.id, bob.user.id)])
    expect([both.byId(factorKind, user.id), both.byId(factorKind, bob.user.id)]).toEqual([null, expect.anything()])
    for (const refused of [
      () => begin(ofBegun, aDigest()),
      () => enable(ofBegun, factor),
      () => setup.decide(disableFactor(of, null)),
      () => setup.decide(renewRecoveryCodes(of, [aDigest()]))
    ]) {
      await expect(refused()).rejects.toMatchObject({ _tag: "SecondFactorState" })
    }
    expect(await setup.decide(useStep(of, 9))).toBe(false)
    expect(await setup.decide(useRecoveryCode(of, code))).toBe(false)
    expect(await setup.recordsOf(user.organisationId)).toEqual(before)
  })

  it("have settings and roles of their own", async () => {
    const [ada, eve] = [await setup.join(), await setup.join()]
    await setup.join(eve.organisationId)
    await setup.decide(requireSecondFactor(bob.organisationId, true))
    await setup.run(Effect.flatMap(loginDomains, (set) => set(bob.organisationId, ["bob.example.com"])))
    const settings = async ({ organisationId }: Person) =>
      settingsOf(await setup.load(organisationId, findsOfSettings(organisationId)), organisationId)
    expect(await settings(ada)).toEqual({ requireSecondFactor: false, loginDomains: [] })
    await setup.decide(requireSecondFactor(ada.organisationId, false))
    expect((await settings(bob)).requireSecondFactor).toBe(true)
    expect((await factorOf(ada.user))?.isRequired).toBe(false)
    const { id: empty } = await setup.newOrganisation()
    await expect(setup.join(empty, undefined, "viewer")).rejects.toMatchObject({ _tag: "LastOwner" })
    const token = await setup.logIn(ada.user.email)
    const { id } = ada.user
    const session = { user: { id }, organisation: { id: ada.organisationId }, mustSetUpSecondFactor: false }
    expect(await setup.find(token)).toMatchObject(session)
    const open = (organisationId: OrganisationId) => {
      const [createdAt, end] = [DateTime.makeUnsafe(setup.now()), DateTime.makeUnsafe(setup.now() + 1e9)]
      const times = { createdAt, expiresAt: end, endsAt: end }
      const opened = { ...aSession(), organisationId, userId: id, passwordVersion: 1, ...times }
      return setup.decide(openSession(opened, null))
    }
    expect(await open(bob.organisationId)).toBeNull()
    expect(await open(ada.organisationId)).toMatchObject(session)
    await setup.run(Effect.flatMap(userChanges, (users) => users.delete(eve.user.id, operatorOf(eve.organisationId))))
    const viewer = await setup.join(ada.organisationId, undefined, "viewer")
    const scopesOf = (organisationId: OrganisationId, { user: { id } }: Person) =>
      setup.run(Effect.flatMap(ApiKeyOwners, (owners) => owners.scopesOf(organisationId, id)))
    expect(await scopesOf(ada.organisationId, viewer)).not.toBe("all")
    expect(await scopesOf(bob.organisationId, viewer)).toBe("all")
    expect(await scopesOf(eve.organisationId, eve)).toBe("deleted")
    expect(await scopesOf(bob.organisationId, eve)).toBe("all")
  })

  it("keep their sessions and their password", async () => {
    const { sessionId, user } = await equipped()
    const colleague = await setup.join(user.organisationId)
    const { email, id: userId } = colleague.user
    await setup.logIn(email)
    const { organisationId } = bob
    const own = { organisationId, id: user.id }
    const credentials = await setup.run(Effect.flatMap(userLookUps, (users) => users.findByLogin(email)))
    const before = await setup.recordsOf(user.organisationId)
    const listed = await setup.load(organisationId, findsOfPassword(user.id))
    expect(liveSessions(listed, user.id, DateTime.makeUnsafe(setup.now()))).toEqual([])
    expect(await setup.decide(endSessions(own, ({ id }) => id === sessionId))).toBe(false)
    await setup.decide(endSessions(own, () => true))
    const managed = setup.decide(endManagedSessions(user.id, operatorOf(organisationId)))
    await expect(managed).rejects.toMatchObject({ _tag: "UserNotFound" })
    expect(await setup.decide(changePassword({ id: sessionId, user: own }, { passwordVersion: 2 }, "new:other"))).toBe(
      false
    )
    await setup.decide(rehashPassword({ id: userId, organisationId }, credentials?.passwordVersion ?? 0, "new:other"))
    const logins = Effect.flatMap(userLookUps, ({ lastLogins }) => lastLogins(organisationId, [userId]))
    expect((await setup.run(logins)).size).toBe(0)
    for (const change of [
      Effect.flatMap(userChanges, (users) => users.update(user.id, { name: "Eve" }, operatorOf(organisationId))),
      Effect.flatMap(userChanges, (users) => users.delete(user.id, operatorOf(organisationId)))
    ])
      expect(await setup.run(Effect.flip(change))).toMatchObject({ _tag: "UserNotFound" })
    expect(await setup.recordsOf(user.organisationId)).toEqual(before)
  })

  it("keep their links, which are of no use in this organisation", async () => {
    const { email, links, reset, user } = await equipped()
    const { organisationId } = bob
    const before = await setup.recordsOf(user.organisationId)
    const link = { ...links, id: crypto.randomUUID(), purpose: "reset" as const, digest: aDigest() }
    const found = { organisationId, id: user.id }
    const findLink = (purpose: LinkPurpose, digest: string) =>
      setup.run(Effect.flatMap(userLinks, (all) => all.find(purpose, digest)))
    const resetAs = (owner: UserIds) => setup.decide(resetPassword(owner, reset, "new:other"))
    const confirmAs = (owner: UserIds) => setup.decide(confirmEmail(owner, email))
    const invalid = { _tag: "LinkInvalid" }
    expect(await issue(found, link)).toBe(false)
    await expect(resetAs(found)).rejects.toMatchObject(invalid)
    await expect(confirmAs(found)).rejects.toMatchObject(invalid)
    expect(await setup.recordsOf(user.organisationId)).toEqual(before)
    for (const [purpose, digest] of [["reset", reset] as const, ["email", email] as const])
      expect((await findLink(purpose, digest)).id).toBe(user.id)
    const own = user.organisationId
    const foreign = await setup.recordsOf(organisationId)
    await setup.run(Organisations.use((all) => all.update(own, { status: "inactive" })))
    expect(await setup.recordsOf(organisationId)).toEqual(foreign)
    await setup.join()
    await expect(findLink("reset", reset)).rejects.toMatchObject(invalid)
    await expect(resetAs({ ...found, organisationId: own })).rejects.toMatchObject(invalid)
    await expect(confirmAs({ ...found, organisationId: own })).rejects.toMatchObject(invalid)
    expect(await setup.run(Effect.flatMap(userLookUps, (all) => all.findByLogin(user.email)))).toMatchObject({
      organisationStatus: "inactive"
    })
    expect(await setup.run(Effect.flatMap(userLookUps, (all) => all.findOwner({ userId: user.id })))).toEqual(own)
    expect((await setup.run(Effect.flatMap(listUsers, (list) => list(operatorOf(own))))).map(({ id }) => id)).toEqual([
      user.id
    ])
  })
})
