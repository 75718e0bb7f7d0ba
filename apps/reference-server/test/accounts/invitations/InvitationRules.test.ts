import { describe, expect, it } from "vitest"
import {
  acceptInvitation,
  type CreatedInvitation,
  createInvitation,
  findsOfInvitations,
  markMailed,
  maximumInvitations,
  renewInvitation,
  standing,
  withdrawInvitation
} from "../../../src/accounts/invitations/InvitationRules.ts"
import { type LinkRecord, linkKind } from "../../../src/accounts/login/LinkKind.ts"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { userKind } from "../../../src/accounts/people/UserKind.ts"
import { endRemainingInvitations } from "../../../src/accounts/people/UserRules.ts"
import {
  anInvitation,
  at,
  aUser,
  decided,
  expectUnchanged,
  inactive,
  type Known,
  later,
  loaded,
  organisation,
  organisationId,
  refusal,
  unlimited,
  withTaken
} from "../Rules.ts"

/** The inviter of `anInvitation`, and another one. */
const [ada, bob] = [aUser(1, "admin"), aUser(2, "owner")]
const users: Known = [userKind, ada, bob]
const links = (...all: ReadonlyArray<LinkRecord>): Known => [linkKind, ...all]

const { createdAt, domain, expiresAt, login, email, id } = anInvitation(11, "member")
const created = (more: Partial<CreatedInvitation> = {}): CreatedInvitation => ({
  ...{ id, organisationId, digest: "new", login, email, name: null, domain: domain ?? "", createdAt, expiresAt },
  ...{ isForeign: false, role: "member", inviter: ada.id },
  ...more
})

describe("a new invitation", () => {
  const create = (known: ReadonlyArray<Known>, more: Partial<CreatedInvitation> = {}) =>
    [createInvitation(created(more)), known] as const

  it("depends on the inviter, and has an event", () => {
    const { answer, change, events, written } = decided(...create([organisation, users]))
    expect(answer).toMatchObject({ email, organisation: "Meadow", inviter: ada.name })
    expect([written, events]).toEqual([["+link 11"], ["user.invited 11"]])
    expect(change.mayChange).not.toContain(ada.id)
  })

  it("replaces an earlier one of the address that the inviter may give, or that does not stand", () => {
    const earlier = (more: Partial<LinkRecord> = {}) => anInvitation(5, "owner", { login, createdBy: bob.id, ...more })
    const replaced = ["-link 5", "+link 11"]
    const known = (link: LinkRecord): ReadonlyArray<Known> => [organisation, users, links(link)]
    expect(refusal(...create(known(earlier())))).toBe("RoleInsufficient")
    expect(decided(...create(known(earlier({ role: "viewer" })))).written).toEqual(replaced)
    expect(decided(...create(known(earlier({ expiresAt: at })))).written).toEqual(replaced)
    expect(decided(...create(known(earlier({ createdBy: ada.id })))).written).toEqual(replaced)
  })

  it("is refused, the reason of the first check first", () => {
    const full = Array.from({ length: maximumInvitations }, (_, n) => anInvitation(100 + n, "viewer"))
    const taken: Known = [userKind, aUser(3, "member", { login })]
    const all: ReadonlyArray<Known> = [organisation, users, taken, links(...full)]
    expect(refusal(...create([inactive, users]))).toBe("InvitationNotFound")
    expect(refusal(...create([organisation]))).toBe("InvitationNotFound")
    expect(refusal(...create(all, { role: "owner", isForeign: true }))).toBe("RoleInsufficient")
    expect(refusal(...create(all, { isForeign: true }))).toBe("DomainTaken")
    expect(refusal(...create(all))).toBe("EmailTaken")
    expect(refusal(...create([organisation, users, links(...full)]))).toBe("TooManyInvitations")
    const [first, ...others] = full
    const own = anInvitation(100, "viewer", { login })
    expect(first && decided(...create([organisation, users, links(own, ...others)])).written).toHaveLength(2)
  })
})

describe("an invitation that stands", () => {
  const accept = acceptInvitation(organisationId, "d11", "Eve", "hash")

  it("creates its user once, who depends on the inviter and the organisation", () => {
    const known = [organisation, users, links(anInvitation(11, "member"))]
    const { answer, change, events, written } = decided(accept, known)
    expect(answer).toMatchObject({ id, email, name: "Eve", role: "member" })
    expect([written, events]).toEqual([["+user 11", "-link 11"], ["user.created 11"]])
    expect(change.mayChange ?? []).toEqual([])
  })

  it("stays when a user of any organisation has the address", () => {
    const known = [organisation, users, links(anInvitation(11, "member"))]
    expect(refusal(accept, withTaken(accept, known, userKind, "login"))).toBe("EmailTaken")
  })

  it.each<[string, ReadonlyArray<Known>]>([
    ["without its inviter", [organisation, links(anInvitation(11, "member"))]],
    ["by an inviter that may not give the role any more", [organisation, users, links(anInvitation(11, "owner"))]],
    ["of an inactive organisation", [inactive, users, links(anInvitation(11, "member"))]],
    ["that has expired", [organisation, users, links(anInvitation(11, "member", { expiresAt: at }))]],
    [
      "to a domain of another organisation",
      [organisation, users, links(anInvitation(11, "member", { isForeign: true }))]
    ],
    ["that was used", [organisation, users]]
  ])("is none %s", (_, known) => {
    expect(refusal(accept, known)).toBe("LinkInvalid")
    expect(standing(loaded(findsOfInvitations(organisationId), known), unlimited("owner"), at)).toEqual([])
  })

  it("is renewed and withdrawn by users who may give the role", () => {
    const known = [organisation, users, links(anInvitation(11, "admin"))]
    const token = { digest: "new", expiresAt: later }
    const renew = (role: Role) => renewInvitation(id, unlimited(role), token)
    const withdraw = (role: Role) => withdrawInvitation(id, unlimited(role))
    const { change, events } = decided(renew("admin"), known)
    expect(change.writes[0]?.after).toMatchObject({ ...token, mailedAt: null, createdAt })
    expect(events).toEqual(["user.invited 11"])
    expect(refusal(renew("member"), known)).toBe("InvitationNotFound")
    expect(decided(withdraw("owner"), known).events).toEqual(["user.deleted 11"])
    expect(refusal(withdraw("viewer"), known)).toBe("InvitationNotFound")
  })

  it("is marked as mailed, unless its token was replaced", () => {
    const known = [organisation, users, links(anInvitation(11, "member"))]
    const mark = markMailed(organisationId, "d11", later)
    expect(decided(mark, known).change.writes[0]?.after).toMatchObject({ mailedAt: later })
    expectUnchanged(mark, [organisation, users], undefined)
  })
})

describe("invitations that were made while their inviter was deleted or demoted", () => {
  it("end with an event", () => {
    const all = links(anInvitation(11, "admin"), anInvitation(12, "viewer"))
    const end = endRemainingInvitations(ada)
    expect(decided(end, [all]).events).toEqual(["user.deleted 11", "user.deleted 12"])
    expect(decided(end, [[userKind, aUser(1, "member")], all]).written).toEqual(["-link 11", "-link 12"])
    expectUnchanged(end, [users, all], undefined)
  })
})
