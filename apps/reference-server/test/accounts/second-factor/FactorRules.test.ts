import { describe, expect, it } from "vitest"
import type { Role } from "../../../src/accounts/people/Role.ts"
import { userKind } from "../../../src/accounts/people/UserKind.ts"
import { FactorRecord, factorKind } from "../../../src/accounts/second-factor/FactorKind.ts"
import {
  beginFactor,
  disableFactor,
  enableFactor,
  factorState,
  findsOfState,
  renewRecoveryCodes,
  resetFactor,
  useRecoveryCode,
  useStep
} from "../../../src/accounts/second-factor/FactorRules.ts"
import { sessionKind } from "../../../src/accounts/sessions/SessionKind.ts"
import {
  aSession,
  at,
  aUser,
  decided,
  expectUnchanged,
  type Known,
  loaded,
  organisationId,
  refusal,
  unlimited
} from "../Rules.ts"

const ada = aUser(1, "owner")
const aFactor = (more: Partial<FactorRecord> = {}): FactorRecord =>
  new FactorRecord({
    ...{ id: ada.id, organisationId, secret: "aa", enabledAt: at, lastStep: 7, recoveryCodes: ["r1", "r2"] },
    ...more
  })

const user: Known = [userKind, ada]
const factor = (more: Partial<FactorRecord> = {}): Known => [factorKind, aFactor(more)]
const waiting = factor({ enabledAt: null, recoveryCodes: [] })
const known = (...all: ReadonlyArray<Known>) => all

describe("a secret", () => {
  const begin = beginFactor(ada, "bb")

  it("is stored in place of one that is not active", () => {
    expect(decided(begin, known(user)).written).toEqual(["+second_factor 1"])
    expect(decided(begin, known(user, waiting)).written).toEqual(["second_factor 1"])
    expect(refusal(begin, known(user, factor()))).toBe("SecondFactorState")
    expect(refusal(begin, known())).toBe("SecondFactorState")
  })

  it("becomes active once, and ends all sessions but one as a new password does", () => {
    const change = { keptSession: "s1", secret: "aa", step: 9, recoveryCodes: ["r3"] }
    const sessions: Known = [sessionKind, aSession(1, ada.id), aSession(2, ada.id)]
    const { change: decision, events, written } = decided(enableFactor(ada, change), known(user, waiting, sessions))
    expect(written).toEqual(["second_factor 1", "user 1", "session 1", "-session 2"])
    expect(decision.writes[0]?.after).toMatchObject({ lastStep: 9, recoveryCodes: ["r3"] })
    expect(decision.writes[1]?.after).toMatchObject({ passwordVersion: 2, passwordHash: ada.passwordHash })
    expect(events).toEqual(["user.updated 1"])
    expect(refusal(enableFactor(ada, { ...change, secret: "cc" }), known(user, waiting))).toBe("SecondFactorState")
    expect(refusal(enableFactor(ada, change), known(user, factor()))).toBe("SecondFactorState")
  })

  it("is removed while it is active, by a manager of the role", () => {
    const { written } = decided(disableFactor(ada, null), known(user, factor()))
    expect(written).toEqual(["-second_factor 1", "user 1"])
    const reset = (role: Role) => resetFactor(ada.id, unlimited(role))
    expect(refusal(reset("admin"), known(user, factor()))).toBe("RoleInsufficient")
    expect(decided(reset("owner"), known(user, factor())).written).toEqual(["-second_factor 1", "user 1"])
    expect(refusal(disableFactor(ada, null), known(user, waiting))).toBe("SecondFactorState")
  })
})

describe("a code", () => {
  it("of an authenticator counts once, and no earlier one after it", () => {
    expect(decided(useStep(ada, 8), known(user, factor())).change.writes[0]?.after).toMatchObject({
      lastStep: 8
    })
    for (const step of [7, 6]) expectUnchanged(useStep(ada, step), known(user, factor()), false)
    expectUnchanged(useStep(ada, 8), known(user, waiting), false)
  })

  it("of recovery counts once, and the event says how many are left", () => {
    const { change } = decided(useRecoveryCode(ada, "r1"), known(user, factor()))
    expect(change.writes[0]?.after).toMatchObject({ recoveryCodes: ["r2"] })
    expect(change.events[0]?.changes).toEqual({ recoveryCodesLeft: { from: 2, to: 1 } })
    const used = factor({ recoveryCodes: ["r2"] })
    expectUnchanged(useRecoveryCode(ada, "r1"), known(user, used), false)
  })

  it("of recovery ends with new ones", () => {
    const { change } = decided(renewRecoveryCodes(ada, ["r4"]), known(user, factor()))
    expect(change.writes[0]?.after).toMatchObject({ recoveryCodes: ["r4"] })
    expect(JSON.stringify(change.events)).not.toContain("r4")
    expect(refusal(renewRecoveryCodes(ada, ["r4"]), known(user, waiting))).toBe("SecondFactorState")
  })
})

describe("the state of a factor", () => {
  it("is that of the user, with or without a factor", () => {
    const stateOf = (...all: ReadonlyArray<Known>) => factorState(loaded(findsOfState(ada), all), ada)
    expect(stateOf(user, factor())).toMatchObject({ secret: "aa", recoveryCodesLeft: 2, isRequired: false })
    expect(stateOf(user)).toMatchObject({ secret: null, enabledAt: null, recoveryCodesLeft: 0, hasPassword: true })
    expect(stateOf(factor())).toBeNull()
  })
})
