import type { UserId } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { SettingsRecord, settingsKind } from "../../../src/accounts/organisation/OrganisationSettings.ts"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { userKind } from "../../../src/accounts/people/UserKind.ts"
import { FactorRecord, factorKind } from "../../../src/accounts/second-factor/FactorKind.ts"
import { type SessionRecord, sessionKind } from "../../../src/accounts/sessions/SessionKind.ts"
import {
  changePassword,
  endManagedSessions,
  endSession,
  endSessions,
  liveSessions,
  openSession
} from "../../../src/accounts/sessions/SessionRules.ts"
import {
  aSession,
  at,
  aUser,
  decided,
  expectUnchanged,
  inactive,
  type Known,
  loaded,
  organisation,
  organisationId,
  refusal,
  unlimited
} from "../Rules.ts"

const [ada, bob] = [aUser(1, "owner"), aUser(2, "member")]
const sessions = (...all: ReadonlyArray<SessionRecord>): Known => [sessionKind, ...all]

describe("a new session", () => {
  const open = (known: ReadonlyArray<Known>, more: Partial<SessionRecord> = {}, replaces: string | null = null) =>
    [openSession(aSession(900, ada.id, more), replaces), known] as const
  const users: Known = [userKind, ada, bob]

  it("has an event, and depends on the organisation and the user", () => {
    const { answer, change, events, written } = decided(...open([organisation, users]))
    expect([written, events]).toEqual([["+session 900"], ["user.logged_in 1"]])
    expect(answer).toMatchObject({ organisation: { name: "Meadow" }, mustSetUpSecondFactor: false })
    expect(change.mayChange).toEqual([])
  })

  it("replaces the one of the browser, and ends the one that would end first beyond 100", () => {
    const hundred = Array.from({ length: 100 }, (_, n) => aSession(n + 1, ada.id))
    const known = [organisation, users, sessions(...hundred, aSession(500, bob.id))]
    const { written } = decided(...open(known, {}, "s500"))
    expect(written).toEqual(["-session 1", "-session 500", "+session 900"])
    expect(decided(...open(known, {}, "s1")).written).toEqual(["-session 1", "+session 900"])
  })

  it("is none of an inactive organisation, a deleted user, or a login with an earlier password", () => {
    for (const known of [[inactive, users], [users], [organisation]]) expectUnchanged(...open(known), null)
    expectUnchanged(...open([organisation, users], { passwordVersion: 2 }), null)
  })

  it("has to set up the second factor that the organisation demands, unless the provider is responsible", () => {
    const demanded: Known = [
      settingsKind,
      new SettingsRecord({ id: organisationId, organisationId, requireSecondFactor: true, views: [] })
    ]
    const factor = { id: ada.id, organisationId, secret: "aa", lastStep: 0, recoveryCodes: [] }
    const must = (known: ReadonlyArray<Known>, more: Partial<SessionRecord> = {}) =>
      decided(...open([organisation, users, demanded, ...known], more)).answer?.mustSetUpSecondFactor
    expect(must([])).toBe(true)
    expect(must([], { method: "oidc" })).toBe(false)
    expect(must([[factorKind, new FactorRecord({ ...factor, enabledAt: null })]])).toBe(true)
    expect(must([[factorKind, new FactorRecord({ ...factor, enabledAt: at })]])).toBe(false)
  })
})

describe("the end of sessions", () => {
  const known: ReadonlyArray<Known> = [
    [userKind, ada, bob],
    sessions(aSession(1, ada.id), aSession(2, ada.id, { endsAt: at }), aSession(3, bob.id))
  ]

  it("ends one by its token, once", () => {
    const end = endSession(organisationId, "s1")
    expect(decided(end, known).written).toEqual(["-session 1"])
    expectUnchanged(end, [], null)
  })

  it("ends those of the user alone", () => {
    const end = endSessions(ada, ({ id }) => id !== aSession(1, ada.id).id)
    expect(decided(end, known).written).toEqual(["-session 2"])
    expectUnchanged(
      endSessions(ada, () => false),
      known,
      false
    )
    expect(liveSessions(loaded(end.finds, known), ada.id, at).map(({ id }) => id)).toEqual([aSession(1, ada.id).id])
  })

  it("by a manager needs its role", () => {
    const end = (userId: UserId, role: Role) => endManagedSessions(userId, unlimited(role))
    expect(refusal(end(ada.id, "admin"), known)).toBe("RoleInsufficient")
    expect(refusal(end(bob.id, "owner"), loaded(end(ada.id, "owner").finds, known))).toBe("UserNotFound")
    expect(decided(end(ada.id, "owner"), known).written).toEqual(["-session 1", "-session 2"])
  })

  it("by a new password keeps the own one, for the verified password alone", () => {
    const own = { id: aSession(1, ada.id).id, user: ada }
    const { change, written } = decided(changePassword(own, { passwordVersion: 1 }, "new"), known)
    expect(written).toEqual(["user 1", "session 1", "-session 2"])
    expect(change.writes[1]?.after).toMatchObject({ passwordVersion: 2 })
    expectUnchanged(changePassword(own, { passwordVersion: 2 }, "new"), known, false)
  })
})
