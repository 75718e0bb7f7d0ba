import { describe, expect, it } from "vitest"
import { LinkRecord, linkKind } from "../../../src/accounts/login/LinkKind.ts"
import { confirmEmail, issueLink, type LinkPurpose, resetPassword } from "../../../src/accounts/login/LinkRules.ts"
import { userKind } from "../../../src/accounts/people/UserKind.ts"
import { sessionKind } from "../../../src/accounts/sessions/SessionKind.ts"
import {
  anInvitation,
  aSession,
  at,
  aUser,
  decided,
  expectUnchanged,
  inactive,
  type Known,
  later,
  organisation,
  refusal,
  withTaken
} from "../Rules.ts"

const ada = aUser(1, "owner")
const owner = ada

const aLink = (n: number, purpose: LinkPurpose, more: Partial<LinkRecord> = {}): LinkRecord =>
  new LinkRecord({
    ...anInvitation(n, "owner"),
    ...{ purpose, userId: ada.id, passwordVersion: 1, role: null, createdBy: null, domain: null },
    ...{ login: "new@example.com", email: "new@example.com" },
    ...more
  })

const known = (...more: ReadonlyArray<Known>) => [organisation, [userKind, ada], ...more] as const
const links = (...all: ReadonlyArray<LinkRecord>): Known => [linkKind, ...all]

describe("a link of a user", () => {
  const { createdAt, expiresAt, ...created } = aLink(9, "reset")
  const issue = (version?: number) => issueLink(owner, { ...created, purpose: "reset", createdAt, expiresAt }, version)

  it("replaces the earlier one for the purpose", () => {
    const all = known(links(aLink(2, "reset"), aLink(3, "email")))
    expect(decided(issue(), all).written).toEqual(["-link 2", "+link 9"])
    expect(decided(issue(1), all).events).toEqual([])
  })

  it("is not made for another version of the password, without the user, nor of an inactive organisation", () => {
    expectUnchanged(issue(2), known(), false)
    expectUnchanged(issue(), [organisation], false)
    expectUnchanged(issue(), [inactive, [userKind, ada]], false)
  })
})

describe("a new password by a link", () => {
  const reset = resetPassword(owner, "d2", "new")

  it("ends all links and sessions of the user", () => {
    const sessions: Known = [sessionKind, aSession(31, ada.id)]
    const all = known(links(aLink(2, "reset"), aLink(3, "email")), sessions)
    const { change, events, written } = decided(reset, all)
    expect(written).toEqual(["user 1", "-session 31", "-link 2", "-link 3"])
    expect(events).toEqual(["user.updated 1"])
    expect(change.writes[0]?.after).toMatchObject({ passwordHash: "new", passwordVersion: 2 })
  })

  it.each<[string, ReadonlyArray<Known>]>([
    ["for another purpose", known(links(aLink(2, "email")))],
    ["that has expired", known(links(aLink(2, "reset", { expiresAt: at })))],
    ["for an earlier password", known(links(aLink(2, "reset", { passwordVersion: 0 })))],
    ["that is another one", known(links(aLink(4, "reset")))],
    ["of a deleted user", [organisation, links(aLink(2, "reset"))]],
    ["of an inactive organisation", [inactive, [userKind, ada], links(aLink(2, "reset"))]]
  ])("is none by a link %s", (_, all) => {
    expect(refusal(reset, all)).toBe("LinkInvalid")
  })
})

describe("a confirmed e-mail address", () => {
  const confirm = confirmEmail(owner, "d3")
  const all = known(links(aLink(2, "reset"), aLink(3, "email", { expiresAt: later })))

  it("ends the links to the old one", () => {
    const { answer, change, written } = decided(confirm, all)
    expect(answer).toMatchObject({ emailBefore: ada.email, user: { email: "new@example.com" } })
    expect(written).toEqual(["user 1", "-link 2", "-link 3"])
    expect(change.events[0]?.changes).toEqual({ email: { from: ada.email, to: "new@example.com" } })
  })

  it("is refused when a user of any organisation has it, and none when it is the present one", () => {
    expect(refusal(confirm, withTaken(confirm, all, userKind, "login"))).toBe("EmailTaken")
    expect(refusal(confirm, known(links(aLink(3, "email", { email: ada.email }))))).toBe("LinkInvalid")
  })
})
