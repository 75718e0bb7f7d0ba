import { makeUnchecked, organisationReference } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { DomainRecord, domainKind, IdentityRecord, identityKind } from "../../../src/accounts/identity/IdentityKind.ts"
import { createProviderUser, linkIdentity, releaseIdentity } from "../../../src/accounts/identity/LinkingRules.ts"
import { setDomains } from "../../../src/accounts/identity/LoginDomains.ts"
import {
  requireSecondFactor,
  SettingsRecord,
  settingsKind
} from "../../../src/accounts/organisation/OrganisationSettings.ts"
import { userKind, userOf } from "../../../src/accounts/people/UserKind.ts"
import { sessionKind } from "../../../src/accounts/sessions/SessionKind.ts"
import {
  aSession,
  at,
  aUser,
  decided,
  expectUnchanged,
  inactive,
  type Known,
  organisation,
  organisationId,
  refusal,
  userIdOf,
  withTaken
} from "../Rules.ts"

const [ada, bob] = [aUser(1, "owner"), aUser(2, "member")]
const users: Known = [userKind, ada, bob]
const domain: Known = [domainKind, makeUnchecked(DomainRecord, { id: "example.com", organisationId })]
const linking = {
  id: userIdOf(50),
  organisationId,
  userId: ada.id,
  issuer: "issuer",
  subject: "subject",
  createdAt: at
}
const anIdentity = (n: number, more: Partial<IdentityRecord>): Known => [
  identityKind,
  makeUnchecked(IdentityRecord, { ...linking, id: userIdOf(n), ...more })
]

describe("a linked identity", () => {
  const rule = linkIdentity(linking, "example.com")

  it("takes the password and the sessions of the user", () => {
    const { change, written } = decided(rule, [organisation, domain, users, [sessionKind, aSession(31, ada.id)]])
    expect(written).toEqual(["+identity 50", "user 1", "-session 31"])
    expect(change.writes[1]?.after).toMatchObject({ passwordHash: null, passwordVersion: 2 })
    expect(change.events[0]?.changes).toEqual({
      identity: { from: null, to: "issuer" },
      password: { from: null, to: null }
    })
    const without = decided(rule, [organisation, domain, [userKind, aUser(1, "owner", { passwordHash: null })]])
    expect(without.written).toEqual(["+identity 50"])
  })

  it("moves from a deleted user, and from no other", () => {
    const ofDeleted = anIdentity(51, { userId: userIdOf(9) })
    expect(decided(rule, [organisation, domain, users, ofDeleted]).written.slice(0, 1)).toEqual(["identity 51"])
    expectUnchanged(rule, [organisation, domain, users, anIdentity(51, { userId: bob.id })], false)
    const release = releaseIdentity(organisationId, linking)
    expect(decided(release, [users, ofDeleted]).written).toEqual(["-identity 51"])
    expectUnchanged(release, [users, anIdentity(51, {})], false)
  })

  it("is none without the domain, the user or the active organisation, nor beside another one of the issuer", () => {
    for (const known of [
      [organisation, users],
      [organisation, domain],
      [inactive, domain, users]
    ]) {
      expectUnchanged(rule, known, false)
    }
    expectUnchanged(rule, [organisation, domain, users, anIdentity(51, { subject: "other" })], false)
    expectUnchanged(rule, withTaken(rule, [organisation, domain, users], identityKind, "subject"), "taken")
  })
})

describe("a user of the provider", () => {
  const rule = createProviderUser(userOf(aUser(3, "member")), linking, "example.com")

  it("is stored with its identity and without a password", () => {
    const { change, events, written } = decided(rule, [organisation, domain, users])
    expect([written, events]).toEqual([["+user 3", "+identity 50"], ["user.created 3"]])
    expect(change.writes[0]?.after).toMatchObject({ passwordHash: null })
    expect(change.mayChange).toEqual([])
  })

  it("is none without domain, owner or active organisation, nor when address or identity exist", () => {
    for (const known of [
      [organisation, users],
      [organisation, domain],
      [inactive, domain, users]
    ]) {
      expectUnchanged(rule, known, false)
    }
    expectUnchanged(rule, [organisation, domain, users, anIdentity(51, {})], false)
    expectUnchanged(rule, withTaken(rule, [organisation, domain, users], userKind, "login"), false)
  })
})

describe("domains of an organisation", () => {
  const reference: Known = [organisationReference, { id: organisationId }]
  const set = (wanted: ReadonlyArray<string>, taken: ReadonlyArray<string> = []) =>
    setDomains(organisationId, wanted, taken)
  const found = [reference, domain]

  it("are replaced as a whole", () => {
    const { answer, change } = decided(set(["b.com", "a.com", "b.com"]), found)
    expect(answer).toEqual(["a.com", "b.com"])
    expect(change.writes.map(({ after, id }) => [id, after !== null])).toEqual([
      ["example.com", false],
      ["a.com", true],
      ["b.com", true]
    ])
  })

  it("are refused without the organisation, and when another one has them", () => {
    expect(refusal(set([]), [])).toBe("OrganisationNotFound")
    expect(refusal(set(["a.com"], ["a.com"]), found)).toBe("DomainTaken")
    expect(refusal(set(["a.com"]), withTaken(set(["a.com"]), found, domainKind, "id"))).toBe("DomainTaken")
  })
})

describe("the demand of a second factor", () => {
  const demand = (isRequired: boolean) => requireSecondFactor(organisationId, isRequired)
  const stored: Known = [
    settingsKind,
    makeUnchecked(SettingsRecord, { id: organisationId, organisationId, requireSecondFactor: true, views: [] })
  ]

  it("is stored with an event when it changes", () => {
    expect(decided(demand(true), [organisation]).change.events[0]?.changes).toEqual({
      requireSecondFactor: { from: false, to: true }
    })
    expect(decided(demand(false), [organisation, stored]).written).toEqual(["console_settings 1"])
    expectUnchanged(demand(true), [organisation, stored], undefined)
    expectUnchanged(demand(false), [organisation], undefined)
    expectUnchanged(demand(true), [], undefined)
  })
})
