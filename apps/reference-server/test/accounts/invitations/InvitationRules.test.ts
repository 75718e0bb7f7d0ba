import { describe, expect, it } from "vitest"
import { acceptInvitation, markMailed } from "../../../src/accounts/invitations/InvitationAcceptance.ts"
import {
  type CreatedInvitation,
  createInvitation,
  findsOfCreation,
  findsOfInvitation,
  findsOfInvitations,
  maximumInvitations,
  renewInvitation,
  standing,
  withdrawInvitation
} from "../../../src/accounts/invitations/InvitationRules.ts"
import { type LinkRecord, linkKind } from "../../../src/accounts/login/LinkKind.ts"
import { userKind } from "../../../src/accounts/people/UserKind.ts"
import { endRemainingInvitations, findsOfRemaining } from "../../../src/accounts/people/UserRules.ts"
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
  origin,
  unlimited,
  withTaken
} from "../Rules.ts"

/** The inviter of `anInvitation`, and another one. */
const [ada, bob] = [aUser(1, "admin"), aUser(2, "owner")]
const users: Known = [userKind, ada, bob]
const links = (...all: ReadonlyArray<LinkRecord>): Known => [linkKind, ...all]

const { createdAt, domain, expiresAt, login, email, id } = anInvitation(11, "member")
const created = (more: Partial<CreatedInvitation> = {}): CreatedInvitation => ({
  ...{ id, organisationId, digest: "new", login, email, name: null, domain, createdAt, expiresAt },
  ...{ isForeign: false, role: "member", inviter: ada.id },
  ...more
})

describe("a new invitation", () => {
  const create = (known: ReadonlyArray<Known>, more: Partial<CreatedInvitation> = {}) => {
    const invitation = created(more)
    return [createInvitation(invitation)(origin), loaded(findsOfCreation(invitation), known)] as const
  }

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
    expectUnchanged(...create(known(earlier())), "other")
    expect(decided(...create(known(earlier({ role: "viewer" })))).written).toEqual(replaced)
    expect(decided(...create(known(earlier({ expiresAt: at })))).written).toEqual(replaced)
    expect(decided(...create(known(earlier({ createdBy: ada.id })))).written).toEqual(replaced)
  })

  it("is refused, the reason of the first check first", () => {
    const full = Array.from({ length: maximumInvitations }, (_, n) => anInvitation(100 + n, "viewer"))
    const taken: Known = [userKind, aUser(3, "member", { login })]
    const all: ReadonlyArray<Known> = [organisation, users, taken, links(...full)]
    expectUnchanged(...create([inactive, users]), "gone")
    expectUnchanged(...create([organisation]), "gone")
    expectUnchanged(...create(all, { role: "owner", isForeign: true }), "other")
    expectUnchanged(...create(all, { isForeign: true }), "foreign")
    expectUnchanged(...create(all), "taken")
    expectUnchanged(...create([organisation, users, links(...full)]), "full")
    const [first, ...others] = full
    const own = anInvitation(100, "viewer", { login })
    expect(first && decided(...create([organisation, users, links(own, ...others)])).written).toHaveLength(2)
  })
})

describe("an invitation that stands", () => {
  const mail = (known: ReadonlyArray<Known>) => loaded(findsOfInvitation(organisationId, "digest", "d11"), known)
  const accept = acceptInvitation("d11", "Eve", "hash")(origin)

  it("creates its user once, who depends on the inviter and the organisation", () => {
    const { answer, change, events, written } = decided(
      accept,
      mail([organisation, users, links(anInvitation(11, "member"))])
    )
    expect(answer).toMatchObject({ id, email, name: "Eve", role: "member" })
    expect([written, events]).toEqual([["+user 11", "-link 11"], ["user.created 11"]])
    expect(change.mayChange ?? []).toEqual([])
  })

  it("stays when a user of any organisation has the address", () => {
    const found = mail([organisation, users, links(anInvitation(11, "member"))])
    expectUnchanged(accept, withTaken(found, userKind, "login"), "taken")
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
    expectUnchanged(accept, mail(known), null)
    expect(standing(loaded(findsOfInvitations(organisationId), known), organisationId, at, unlimited("owner"))).toEqual(
      []
    )
  })

  it("is renewed and withdrawn by users who may give the role", () => {
    const found = loaded(findsOfInvitation(organisationId, "id", id), [
      organisation,
      users,
      links(anInvitation(11, "admin"))
    ])
    const token = { digest: "new", expiresAt: later }
    const { change, events } = decided(renewInvitation(id, unlimited("admin"), token)(origin), found)
    expect(change.writes[0]?.after).toMatchObject({ ...token, mailedAt: null, createdAt })
    expect(events).toEqual(["user.invited 11"])
    expectUnchanged(renewInvitation(id, unlimited("member"), token)(origin), found, null)
    expect(decided(withdrawInvitation(id, unlimited("owner"))(origin), found).events).toEqual(["user.deleted 11"])
    expectUnchanged(withdrawInvitation(id, unlimited("viewer"))(origin), found, false)
  })

  it("is marked as mailed, unless its token was replaced", () => {
    const known = [organisation, users, links(anInvitation(11, "member"))]
    expect(decided(markMailed("d11", later)(origin), mail(known)).change.writes[0]?.after).toMatchObject({
      mailedAt: later
    })
    expectUnchanged(markMailed("d11", later)(origin), mail([organisation, users]), undefined)
  })
})

describe("invitations that were made while their inviter was deleted or demoted", () => {
  it("end with an event", () => {
    const all = links(anInvitation(11, "admin"), anInvitation(12, "viewer"))
    const deleted = loaded(findsOfRemaining(ada.id), [all])
    expect(decided(endRemainingInvitations(ada.id)(origin), deleted).events).toEqual([
      "user.deleted 11",
      "user.deleted 12"
    ])
    const demoted = loaded(findsOfRemaining(ada.id), [[userKind, aUser(1, "member")], all])
    expect(decided(endRemainingInvitations(ada.id)(origin), demoted).written).toEqual(["-link 11", "-link 12"])
    expectUnchanged(endRemainingInvitations(ada.id)(origin), loaded(findsOfRemaining(ada.id), [users, all]), undefined)
  })
})
