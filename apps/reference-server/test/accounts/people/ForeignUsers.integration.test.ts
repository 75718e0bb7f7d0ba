/** Statements about users get ids of one organisation together with another organisation. */
import { ApiKeyOwners, type OrganisationId, Organisations } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { LoginDomains } from "../../../src/accounts/identity/LoginDomains.ts"
import {
  confirmEmail,
  findsOfLinks,
  findsOfReset,
  issueLink,
  type LinkPurpose,
  type OwnerIds,
  resetPassword
} from "../../../src/accounts/login/LinkRules.ts"
import { UserLinks } from "../../../src/accounts/login/UserLinks.ts"
import { OrganisationSettings } from "../../../src/accounts/organisation/OrganisationSettings.ts"
import { UserChanges } from "../../../src/accounts/people/UserChanges.ts"
import { Users } from "../../../src/accounts/people/Users.ts"
import {
  beginFactor,
  disableFactor,
  type EnabledFactor,
  enableFactor,
  type FactorOwner,
  findsOfFactor,
  findsOfSwitch,
  renewRecoveryCodes,
  useRecoveryCode,
  useStep
} from "../../../src/accounts/second-factor/FactorRules.ts"
import { SecondFactors } from "../../../src/accounts/second-factor/SecondFactors.ts"
import { findsOfOpening, openSession } from "../../../src/accounts/sessions/SessionRules.ts"
import { UserSessions } from "../../../src/accounts/sessions/UserSessions.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import type { Person } from "../AccountsSetup.ts"
import { aDigest, type ForeignSetup, foreignSetup } from "../ForeignSetup.ts"

const aSession = () => ({ id: crypto.randomUUID(), digest: aDigest(), method: "password", userAgent: null }) as const

describe.skipIf(withoutPostgres)("users of another organisation", () => {
  const schemas = ownSchemas()
  let setup: ForeignSetup
  let bob: Person

  const factorOf = (owner: FactorOwner) => setup.run(SecondFactors.use((factors) => factors.find(owner)))
  const begin = ({ id, organisationId }: FactorOwner, secret: string) =>
    setup.decide(organisationId, findsOfFactor(id), beginFactor({ id, organisationId }, secret))
  const enable = ({ id, organisationId }: FactorOwner, factor: EnabledFactor) =>
    setup.decide(organisationId, findsOfSwitch(id), enableFactor(id, factor))

  const issue = (owner: OwnerIds, link: Parameters<typeof issueLink>[1]) =>
    setup.decide(owner.organisationId, findsOfLinks(owner), issueLink(owner, link))

  /** A user with an active factor, a session and a link of each purpose. */
  const equipped = async (organisationId?: OrganisationId) => {
    const person = await setup.join(organisationId)
    const { user } = person
    const [secret, code, replaced] = [aDigest(), aDigest(), aDigest()]
    const now = setup.now()
    await begin(user, secret)
    const factor = { secret, step: 1, recoveryCodes: [code, replaced], now, keptSession: null }
    expect(await enable(user, factor)).toBe(true)
    const [session, reset, email] = [aDigest(), aDigest(), aDigest()]
    const ends = { createdAt: DateTime.makeUnsafe(now), expiresAt: DateTime.makeUnsafe(now + 1e9) }
    const links = { email: `x.${user.email}`, login: `x.${user.email}`, ...ends }
    for (const [purpose, digest] of [["reset", reset] as const, ["email", email] as const]) {
      const link = { ...links, id: crypto.randomUUID(), purpose, digest }
      expect(await issue({ organisationId: user.organisationId, userId: user.id }, link)).toBe(true)
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
    const use = (rule: ReturnType<typeof useStep>) => setup.decide(organisationId, findsOfFactor(of.id), rule)
    const ofBegun = { id: begun.id, organisationId }
    const factor = { secret, step: 1, recoveryCodes: [code], now: setup.now(), keptSession: null }
    expect(Option.isNone(await factorOf(of))).toBe(true)
    expect([...(await setup.run(Users.use((users) => users.withFactor(organisationId))))]).toEqual([bob.user.id])
    expect(await begin(ofBegun, aDigest())).toBe(false)
    expect(await enable(ofBegun, factor)).toBe(false)
    await expect(setup.decide(organisationId, findsOfSwitch(of.id), disableFactor(of.id, null))).rejects.toMatchObject({
      _tag: "SecondFactorState"
    })
    expect(await use(useStep(of.id, 9))).toBe(false)
    expect(await use(useRecoveryCode(of.id, code))).toBe(false)
    expect(await use(renewRecoveryCodes(of.id, [aDigest()]))).toBe(false)
    expect(await setup.recordsOf(user.organisationId)).toEqual(before)
  })

  it("have settings and roles of their own", async () => {
    const [ada, eve] = [await setup.join(), await setup.join()]
    await setup.join(eve.organisationId)
    await setup.run(OrganisationSettings.use((all) => all.requireSecondFactor(bob.organisationId, true)))
    await setup.run(LoginDomains.use((all) => all.set(bob.organisationId, ["bob.example.com"])))
    const settingsOf = ({ organisationId }: Person) =>
      setup.run(OrganisationSettings.use((all) => all.get(organisationId)))
    expect(await settingsOf(ada)).toEqual({ requireSecondFactor: false, loginDomains: [] })
    await setup.run(OrganisationSettings.use((all) => all.requireSecondFactor(ada.organisationId, false)))
    expect((await settingsOf(bob)).requireSecondFactor).toBe(true)
    expect(Option.getOrThrow(await factorOf(ada.user)).isRequired).toBe(false)
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
      const opening = { session: opened, replaces: null }
      return setup.decide(organisationId, findsOfOpening(opening), openSession(opening))
    }
    expect(await open(bob.organisationId)).toBeNull()
    expect(await open(ada.organisationId)).toMatchObject(session)
    await setup.run(UserChanges.use((users) => users.delete(eve.organisationId, eve.user.id, "operator")))
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
    const own = { organisationId, userId: user.id, sessionId }
    const credentials = Option.getOrThrow(await setup.run(Users.use((users) => users.findByLogin(email))))
    const before = await setup.recordsOf(user.organisationId)
    expect(await setup.run(UserSessions.use((all) => all.list(own)))).toEqual([])
    expect(await setup.run(UserSessions.use((all) => all.end(own, sessionId)))).toBe(false)
    await setup.run(UserSessions.use((all) => all.endOthers({ ...own, sessionId: crypto.randomUUID() })))
    const managed = UserSessions.use((all) =>
      all.endManaged(organisationId, user.id, { role: "owner", portfolioIds: null })
    )
    expect(await setup.run(Effect.flip(managed))).toMatchObject({ _tag: "UserNotFound" })
    const verified = { user, passwordVersion: 2 }
    expect(await setup.run(UserSessions.use((all) => all.changePassword(own, verified, "new:other")))).toBe(false)
    const foreign = { ...credentials, user: { ...credentials.user, organisationId } }
    await setup.run(Users.use((users) => users.rehash(foreign, "new:other")))
    expect((await setup.run(Users.use((users) => users.lastLogins(organisationId, [userId])))).size).toBe(0)
    for (const change of [
      UserChanges.use((users) => users.update(organisationId, user.id, { name: "Eve" }, "operator")),
      UserChanges.use((users) => users.delete(organisationId, user.id, "operator"))
    ])
      expect(await setup.run(Effect.flip(change))).toMatchObject({ _tag: "UserNotFound" })
    expect(await setup.recordsOf(user.organisationId)).toEqual(before)
  })

  it("keep their links, which are of no use in this organisation", async () => {
    const { email, links, reset, user } = await equipped()
    const { organisationId } = bob
    const before = await setup.recordsOf(user.organisationId)
    const link = { ...links, id: crypto.randomUUID(), purpose: "reset" as const, digest: aDigest() }
    const found = { organisationId, userId: user.id }
    const find = (purpose: LinkPurpose, digest: string) => setup.run(UserLinks.use((all) => all.find(purpose, digest)))
    const resetAs = (owner: OwnerIds) =>
      setup.decide(owner.organisationId, findsOfReset(owner), resetPassword(owner, reset, "new:other"))
    const confirmAs = (owner: OwnerIds) =>
      setup.decide(owner.organisationId, findsOfLinks(owner), confirmEmail(owner, email))
    expect(await issue(found, link)).toBe(false)
    expect(await resetAs(found)).toBeNull()
    expect(await confirmAs(found)).toBeNull()
    expect(await setup.recordsOf(user.organisationId)).toEqual(before)
    for (const [purpose, digest] of [["reset", reset] as const, ["email", email] as const])
      expect((await find(purpose, digest))?.userId).toBe(user.id)
    const own = user.organisationId
    const foreign = await setup.recordsOf(organisationId)
    await setup.run(Organisations.use((all) => all.update(own, { status: "inactive" })))
    expect(await setup.recordsOf(organisationId)).toEqual(foreign)
    await setup.join()
    expect(await find("reset", reset)).toBeNull()
    expect(await resetAs({ ...found, organisationId: own })).toBeNull()
    expect(await confirmAs({ ...found, organisationId: own })).toBeNull()
    expect(Option.getOrThrow(await setup.run(Users.use((all) => all.findByLogin(user.email))))).toMatchObject({
      organisationStatus: "inactive"
    })
    expect(await setup.run(Users.use((all) => all.findOwner(user.id)))).toEqual(Option.some(own))
    expect((await setup.run(Users.use((all) => all.list(own)))).map(({ id }) => id)).toEqual([user.id])
  })
})
