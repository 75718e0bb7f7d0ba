import { apiKeyKind, organisationReference } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { LinkRecord, linkKind } from "../../../src/accounts/login/LinkKind.ts"
import { type Manager, operatorOf } from "../../../src/accounts/people/Authority.ts"
import { userKind, userOf } from "../../../src/accounts/people/UserKind.ts"
import {
  changeUser,
  createUser,
  deleteUser,
  rehashPassword,
  setPassword,
  type UserChange
} from "../../../src/accounts/people/UserRules.ts"
import { sessionKind } from "../../../src/accounts/sessions/SessionKind.ts"
import {
  anInvitation,
  at,
  aUser,
  decided,
  expectUnchanged,
  type Known,
  later,
  organisationId,
  refusal,
  userIdOf,
  withTaken
} from "../Rules.ts"

const [ada, bob, eve] = [aUser(1, "owner"), aUser(2, "owner"), aUser(3, "member")]
const operator = operatorOf(organisationId)

const ruleOf = (n: number, change: UserChange, by: Manager) => changeUser(userIdOf(n), change, by)
const known = (...all: ReadonlyArray<Known>) => all

describe("a change of a user", () => {
  it("leaves an owner: the first other one has to stay as it is, the others may change", () => {
    const carl = aUser(4, "owner")
    const found = known([userKind, ada, bob, carl])
    const { change: decision, events, written } = decided(ruleOf(1, { role: "member" }, operator), found)
    expect([written, events]).toEqual([["user 1"], ["user.updated 1"]])
    expect(decision.mayChange).toEqual([carl.id])
    expect(refusal(ruleOf(1, { role: "member" }, operator), known([userKind, ada, eve]))).toBe("LastOwner")
  })

  it("depends on the role of the manager", () => {
    const by = bob
    const found = known([userKind, ada, bob])
    const { change: decision } = decided(ruleOf(1, { role: "viewer" }, by), found)
    expect(decision.mayChange).not.toContain(bob.id)
    const demoted = known([userKind, ada, aUser(2, "admin")])
    expect(refusal(ruleOf(1, { role: "viewer" }, by), demoted)).toBe("RoleInsufficient")
    expect(refusal(ruleOf(1, { role: "viewer" }, by), known([userKind, ada]))).toBe("RoleInsufficient")
  })

  it("is refused for a user that is not there, and for a role that the manager may not give", () => {
    const admin = aUser(5, "admin")
    expect(refusal(ruleOf(3, { role: "owner" }, admin), known([userKind, eve]))).toBe("RoleInsufficient")
    expect(refusal(ruleOf(3, { name: "Eve" }, operator), known())).toBe("UserNotFound")
  })

  it("ends the open invitations that the user may not give any more, each with an event", () => {
    const invitations = [
      anInvitation(11, "admin"),
      anInvitation(12, "owner"),
      anInvitation(13, "owner", { expiresAt: at })
    ]
    const found = known([userKind, ada, bob], [linkKind, ...invitations])
    const { events, written } = decided(ruleOf(1, { role: "admin" }, operator), found)
    expect(written).toEqual(["user 1", "-link 12"])
    expect(events).toEqual(["user.updated 1", "user.deleted 12"])
  })

  it("says since when the digest has been chosen", () => {
    const found = known([userKind, aUser(1, "owner", { digestSince: later })])
    const { change: decision } = decided(ruleOf(1, { digest: "daily" }, operator), found)
    expect(decision.events[0]?.changes).toEqual({ digest: { from: "weekly", to: "daily" } })
    expect(decision.writes[0]?.after).toMatchObject({ digest: "daily", digestSince: at })
    const same = decided(ruleOf(1, { digest: "weekly", name: "Ada" }, operator), found)
    expect(same.change.writes[0]?.after).toMatchObject({ digestSince: later })
  })

  it("is none when all is as it should be", () => {
    const found = known([userKind, ada, bob], [linkKind, anInvitation(11, "owner")])
    const same = ruleOf(1, { role: "owner", name: ada.name }, operator)
    expectUnchanged(same, found, { user: userOf(ada), isAccessChanged: false })
  })
})

describe("the deletion of a user", () => {
  const key = (n: number, createdBy: string | null) => ({ id: userIdOf(n), organisationId, createdBy })
  const rule = (n: number, by: Manager) => deleteUser(userIdOf(n), by)

  it("deletes its keys in any letter case, and its open invitations, and leaves a tombstone", () => {
    const keys = [key(21, eve.id), key(22, eve.id.toUpperCase()), key(23, ada.id), key(24, null)]
    const own = new LinkRecord({ ...anInvitation(11, "viewer"), createdBy: eve.id })
    const all: ReadonlyArray<Known> = [
      [userKind, ada, eve],
      [apiKeyKind, ...keys],
      [linkKind, own, anInvitation(12, "viewer")]
    ]
    const { change: decision, events, written } = decided(rule(3, operator), all)
    expect(written).toEqual(["-user 3", "+deleted_user 3", "-link 11", "-api_key 21", "-api_key 22"])
    expect(events).toEqual(["user.deleted 3", "api_key.deleted 21", "api_key.deleted 22", "user.deleted 11"])
    expect(decision.mayChange).toEqual(expect.arrayContaining([ada.id, keys[2]?.id]))
  })

  it("leaves an owner, unless the operator deletes the only user", () => {
    expect(refusal(rule(1, operator), [[userKind, ada, eve]])).toBe("LastOwner")
    expect(decided(rule(1, operator), [[userKind, ada]]).written).toEqual(["-user 1", "+deleted_user 1"])
    const by = bob
    expect(refusal(rule(2, by), [[userKind, bob]])).toBe("LastOwner")
    const two = decided(rule(2, by), [[userKind, ada, bob]])
    expect(two.change.mayChange).not.toContain(ada.id)
  })
})

describe("a new user", () => {
  const organisation: Known = [organisationReference, { id: organisationId }]
  const create = (user: typeof ada, ...known: ReadonlyArray<Known>) => [createUser(user), known] as const

  it("is an owner, or depends on one", () => {
    expect(decided(...create(ada, organisation)).events).toEqual(["user.created 1"])
    expect(refusal(...create(eve, organisation))).toBe("LastOwner")
    const { change: decision } = decided(...create(eve, organisation, [userKind, ada, bob]))
    expect(decision.mayChange).toEqual([bob.id])
  })

  it("is refused without the organisation, and with a login that is taken anywhere", () => {
    expect(refusal(...create(ada))).toBe("OrganisationNotFound")
    const [command, all] = create(ada, organisation)
    expect(refusal(command, withTaken(command, all, userKind, "login"))).toBe("EmailTaken")
  })
})

describe("a new password", () => {
  it("ends all sessions", () => {
    const sessions = [31, 32].map((n) => ({ id: userIdOf(n), organisationId, userId: ada.id, passwordVersion: 1 }))
    const all = known([userKind, ada], [sessionKind, ...sessions])
    const { change: decision, written } = decided(setPassword(ada, "new"), all)
    expect(written).toEqual(["user 1", "-session 31", "-session 32"])
    expect(decision.writes[0]?.after).toMatchObject({ passwordHash: "new", passwordVersion: 2 })
    expect(JSON.stringify(decision.events)).not.toContain("new")
    expectUnchanged(setPassword(bob, "new"), all, null)
  })

  it("keeps a hash that was made for another version out", () => {
    const all = known([userKind, ada])
    expectUnchanged(rehashPassword(ada, 2, "new"), all, undefined)
    expect(decided(rehashPassword(ada, 1, "new"), all).written).toEqual(["user 1"])
  })
})
