import { describe, expect, it } from "vitest"
import { changeOfAccess, type UserAccess } from "../../src/people/changeOfAccess.ts"

const access = (role: UserAccess["role"], portfolioIds: UserAccess["portfolioIds"]): UserAccess => ({
  role,
  portfolioIds
})

describe("the change of a user's access", () => {
  it("has the members that differ", () => {
    const member = access("member", ["a"])
    expect(changeOfAccess(member, member, null)).toEqual({})
    expect(changeOfAccess(member, access("viewer", ["a"]), null)).toEqual({ role: "viewer" })
    expect(changeOfAccess(member, access("member", ["a", "b"]), null)).toEqual({ portfolioIds: ["a", "b"] })
    expect(changeOfAccess(member, access("admin", null), null)).toEqual({ role: "admin", portfolioIds: null })
    expect(changeOfAccess(access("viewer", null), access("viewer", ["a"]), null)).toEqual({ portfolioIds: ["a"] })
  })

  it("lifts the limit of a new owner for every choice", () => {
    expect(changeOfAccess(access("admin", ["a"]), access("owner", ["a"]), null)).toEqual({
      role: "owner",
      portfolioIds: null
    })
    expect(changeOfAccess(access("admin", null), access("owner", ["a"]), null)).toEqual({ role: "owner" })
  })

  it("gives at most what a limited admin sees", () => {
    expect(changeOfAccess(access("viewer", ["a"]), access("viewer", null), ["a", "b"])).toEqual({
      portfolioIds: ["a", "b"]
    })
    expect(changeOfAccess(access("viewer", ["a", "b"]), access("viewer", null), ["a", "b"])).toEqual({})
  })
})
