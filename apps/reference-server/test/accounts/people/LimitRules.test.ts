/** Rules of users and invitations that are limited to portfolios. */
import { organisationReference, PortfolioId, type PortfolioLimit, portfolioReference } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import {
  acceptInvitation,
  type CreatedInvitation,
  createInvitation,
  findsOfInvitations,
  renewInvitation,
  standing,
  withdrawInvitation
} from "../../../src/accounts/invitations/InvitationRules.ts"
import { linkKind } from "../../../src/accounts/login/LinkKind.ts"
import { type Manager, operatorOf } from "../../../src/accounts/people/Authority.ts"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { type UserRecord, userKind, userOf } from "../../../src/accounts/people/UserKind.ts"
import {
  changeUser,
  createUser,
  deleteUser,
  endRemainingInvitations,
  type UserChange
} from "../../../src/accounts/people/UserRules.ts"
import { factorKind } from "../../../src/accounts/second-factor/FactorKind.ts"
import { resetFactor } from "../../../src/accounts/second-factor/FactorRules.ts"
import { sessionKind } from "../../../src/accounts/sessions/SessionKind.ts"
import { endManagedSessions } from "../../../src/accounts/sessions/SessionRules.ts"
import {
  anInvitation,
  aSession,
  at,
  aUser,
  decided,
  expectUnchanged,
  type Known,
  later,
  loaded,
  organisation,
  organisationId,
  refusal,
  userIdOf
} from "../Rules.ts"

const [north, south, absent] = ["1", "2", "3"].map((n) =>
  PortfolioId.make(`0190b2a0-0000-7000-8000-00000000010${n}`)
) as [PortfolioId, PortfolioId, PortfolioId]
const portfolios: Known = [portfolioReference, { id: north }, { id: south }]

const limited = (n: number, role: Role, ...portfolioIds: ReadonlyArray<PortfolioId>) => aUser(n, role, { portfolioIds })

/** An owner, an admin of the north, and users of the north, the south, both, and without a limit. */
const [ada, bob] = [aUser(1, "owner"), limited(2, "admin", north)]
const [inNorth, inSouth, inBoth, unbound] = [
  limited(3, "member", north),
  limited(4, "member", south),
  limited(5, "member", north, south),
  aUser(6, "member")
]
const people: Known = [userKind, ada, bob, inNorth, inSouth, inBoth, unbound]

const changing = (n: number, change: UserChange, by: Manager, known: ReadonlyArray<Known> = [people, portfolios]) =>
  [changeUser(userIdOf(n), change, by), known] as const

describe("a change of limits", () => {
  it("names the portfolios in its event, and is none when the list is the same", () => {
    const { change } = decided(...changing(6, { portfolioIds: [south, north] }, ada))
    expect(change.events[0]?.changes).toEqual({ portfolioIds: { from: null, to: [south, north] } })
    const lifted = decided(...changing(3, { portfolioIds: null }, ada))
    expect(lifted.change.events[0]?.changes).toEqual({ portfolioIds: { from: [north], to: null } })
    const same = { user: userOf(inNorth), isAccessChanged: false }
    expectUnchanged(...changing(3, { portfolioIds: [north] }, ada), same)
  })

  it("is refused with portfolios that are not there, and of an owner", () => {
    expect(refusal(...changing(6, { portfolioIds: [north, absent] }, ada))).toBe("PortfoliosNotFound")
    expect(refusal(...changing(1, { portfolioIds: [north] }, ada))).toBe("OwnerLimited")
    expect(refusal(...changing(3, { role: "owner" }, ada))).toBe("OwnerLimited")
    expect(refusal(...changing(3, { role: "owner" }, operatorOf(organisationId)))).toBe("OwnerLimited")
    expect(decided(...changing(3, { role: "owner", portfolioIds: null }, ada)).events).toEqual(["user.updated 3"])
    const nothing = limited(7, "member")
    const known: ReadonlyArray<Known> = [[userKind, ada, nothing], portfolios]
    expect(refusal(...changing(7, { role: "owner" }, ada, known))).toBe("OwnerLimited")
  })

  it("is refused to members and viewers, about themselves too", () => {
    for (const portfolioIds of [null, [north], [absent]] satisfies ReadonlyArray<PortfolioLimit>) {
      expect(refusal(...changing(3, { portfolioIds }, inNorth))).toBe("RoleInsufficient")
    }
  })

  it("ends invitations that the user may not give any more", () => {
    const open = [
      anInvitation(11, "viewer"),
      anInvitation(12, "viewer", { portfolioIds: [north] }),
      anInvitation(13, "viewer", { portfolioIds: [north, south] })
    ].map((link) => ({ ...link, createdBy: userIdOf(8) }))
    const admin = aUser(8, "admin")
    const known: ReadonlyArray<Known> = [[userKind, ada, admin], portfolios, [linkKind, ...open]]
    const { written } = decided(...changing(8, { portfolioIds: [north] }, ada, known))
    expect(written).toEqual(["user 8", "-link 11", "-link 13"])
    const remaining: ReadonlyArray<Known> = [
      [userKind, limited(8, "admin", north)],
      [linkKind, ...open]
    ]
    const end = endRemainingInvitations(admin)
    expect(decided(end, remaining).written).toEqual(["-link 11", "-link 13"])
  })
})

describe("a limited admin", () => {
  it("changes the users within its limit, and itself", () => {
    expect(decided(...changing(3, { role: "viewer" }, bob)).written).toEqual(["user 3"])
    expect(decided(...changing(2, { name: "Bob" }, bob)).written).toEqual(["user 2"])
    expect(decided(...changing(3, { portfolioIds: [north], name: "Eve" }, bob)).written).toEqual(["user 3"])
  })

  it.each([
    ["of the south", 4],
    ["of both", 5],
    ["without a limit", 6],
    ["who owns", 1],
    ["who is not there", 9]
  ])("knows no user %s", (_, n) => {
    for (const change of [{ name: "Eve" }, { role: "viewer" }, { portfolioIds: [north] }, { portfolioIds: [absent] }]) {
      expect(refusal(...changing(n, change as UserChange, bob))).toBe("UserNotFound")
    }
    expect(refusal(...changing(n, { portfolioIds: null }, bob))).toBe("CallerLimited")
    expect(refusal(...changing(n, { role: "owner" }, bob))).toBe("RoleInsufficient")
    expect(refusal(deleteUser(userIdOf(n), bob), [people])).toBe("UserNotFound")
    const factor: Known = [factorKind, { id: userIdOf(n), enabledAt: at, recoveryCodes: [] }]
    expect(refusal(resetFactor(userIdOf(n), bob), [people, factor])).toBe("UserNotFound")
    const sessions: Known = [sessionKind, aSession(1, userIdOf(n))]
    expect(refusal(endManagedSessions(userIdOf(n), bob), [people, sessions])).toBe("UserNotFound")
  })

  it("gives portfolios of its own list alone: others are absent", () => {
    expect(refusal(...changing(3, { portfolioIds: [north, south] }, bob))).toBe("PortfoliosNotFound")
    expect(refusal(...changing(3, { portfolioIds: [absent] }, bob))).toBe("PortfoliosNotFound")
    expect(refusal(...changing(2, { portfolioIds: null }, bob))).toBe("CallerLimited")
  })

  it("is judged by the limit that it has when the change is committed", () => {
    const moved: Known = [userKind, ada, limited(2, "admin", south), inNorth, inSouth]
    expect(refusal(...changing(3, { name: "Eve" }, bob, [moved, portfolios]))).toBe("UserNotFound")
    const { change } = decided(...changing(3, { name: "Eve" }, bob))
    expect(change.mayChange).not.toContain(bob.id)
  })

  it("deletes the users within its limit", () => {
    expect(decided(deleteUser(inNorth.id, bob), [people]).events).toEqual(["user.deleted 3"])
  })
})

describe("a new user with a limit", () => {
  const create = (user: UserRecord) => {
    const known: ReadonlyArray<Known> = [[organisationReference, { id: organisationId }], [userKind, ada], portfolios]
    return [createUser(user), known] as const
  }

  it("is stored with it", () => {
    const { change } = decided(...create(limited(7, "viewer", south, north)))
    expect(change.events[0]?.changes["portfolioIds"]).toEqual({ from: null, to: [south, north] })
    expect(refusal(...create(limited(7, "viewer", absent)))).toBe("PortfoliosNotFound")
    expect(refusal(...create(limited(7, "owner", north)))).toBe("OwnerLimited")
  })
})

describe("an invitation with a limit", () => {
  const { createdAt, domain, expiresAt, login, email, id } = anInvitation(11, "member")
  const create = (inviter: UserRecord, more: Partial<CreatedInvitation> = {}, ...known: ReadonlyArray<Known>) => {
    const invitation: CreatedInvitation = {
      ...{ id, organisationId, digest: "new", login, email, name: null, domain: domain ?? "", createdAt, expiresAt },
      ...{ isForeign: false, role: "member", inviter: inviter.id },
      ...more
    }
    return [createInvitation(invitation), [organisation, people, portfolios, ...known]] as const
  }

  it("has the limit of its inviter unless it names one within it", () => {
    expect(decided(...create(ada)).answer).toMatchObject({ portfolioIds: null })
    expect(decided(...create(ada, { portfolioIds: [south] })).answer).toMatchObject({ portfolioIds: [south] })
    expect(decided(...create(bob)).answer).toMatchObject({ portfolioIds: [north] })
    expect(decided(...create(bob, { portfolioIds: [north] })).answer).toMatchObject({ portfolioIds: [north] })
    const { change } = decided(...create(bob))
    expect(change.events[0]?.changes["portfolioIds"]).toEqual({ from: null, to: [north] })
    expect(change.mayChange).not.toContain(bob.id)
  })

  it("is refused outside of the limit of its inviter, and of an owner", () => {
    expect(refusal(...create(bob, { portfolioIds: null }))).toBe("CallerLimited")
    expect(refusal(...create(bob, { portfolioIds: [south] }))).toBe("PortfoliosNotFound")
    expect(refusal(...create(bob, { portfolioIds: [absent] }))).toBe("PortfoliosNotFound")
    expect(refusal(...create(ada, { portfolioIds: [absent] }))).toBe("PortfoliosNotFound")
    expect(refusal(...create(ada, { role: "owner", portfolioIds: [north] }))).toBe("OwnerLimited")
  })

  it("replaces none that its inviter does not see, which it learns as of a user with the address", () => {
    const earlier = (portfolioIds: PortfolioLimit): Known => [
      linkKind,
      anInvitation(12, "viewer", { login, portfolioIds })
    ]
    expect(refusal(...create(bob, {}, earlier(null)))).toBe("EmailTaken")
    expect(refusal(...create(bob, {}, earlier([south])))).toBe("EmailTaken")
    expect(decided(...create(bob, {}, earlier([north]))).written).toEqual(["-link 12", "+link 11"])
    expect(decided(...create(ada, {}, earlier([south]))).written).toEqual(["-link 12", "+link 11"])
  })

  it("is there for limited users within their limit", () => {
    const links: Known = [
      linkKind,
      anInvitation(11, "viewer", { portfolioIds: [north] }),
      anInvitation(12, "viewer", { portfolioIds: [south] }),
      anInvitation(13, "viewer")
    ]
    const found = loaded(findsOfInvitations(organisationId), [organisation, people, links])
    expect(standing(found, bob, at).map(({ portfolioIds }) => portfolioIds)).toEqual([[north]])
    expect(standing(found, ada, at)).toHaveLength(3)
    const token = { digest: "new", expiresAt: later }
    const all = [organisation, people, links]
    for (const n of [12, 13, 19]) {
      expect(refusal(renewInvitation(userIdOf(n), bob, token), all)).toBe("InvitationNotFound")
      expect(refusal(withdrawInvitation(userIdOf(n), bob), all)).toBe("InvitationNotFound")
    }
    expect(decided(withdrawInvitation(userIdOf(11), bob), all).written).toEqual(["-link 11"])
  })

  it("creates a limited user, while its inviter may give the limit", () => {
    const link = anInvitation(11, "viewer", { portfolioIds: [north], createdBy: userIdOf(2) })
    const accept = acceptInvitation(organisationId, "d11", "Eve", "hash")
    const known = (users: Known): ReadonlyArray<Known> => [organisation, [linkKind, link], users]
    expect(decided(accept, known(people)).answer).toMatchObject({ portfolioIds: [north], role: "viewer" })
    expect(refusal(accept, known([userKind, limited(2, "admin", south)]))).toBe("LinkInvalid")
    expect(refusal(accept, known([userKind, limited(2, "admin")]))).toBe("LinkInvalid")
  })
})
