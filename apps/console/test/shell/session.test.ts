import { apiScopes } from "@solar-sites/core/model"
import { describe, expect, it } from "vitest"
import { can, canChangePortfolios, canMoveSites } from "../../src/shell/session.ts"
import { rightsOf } from "../Rights.ts"

describe("what a user may do", () => {
  it("is what the scopes say, without a limit to portfolios", () => {
    const rights = rightsOf(["sites:read", "webhooks:read", "portfolios:write"])
    expect(apiScopes.filter((scope) => can(rights, scope))).toEqual(
      apiScopes.filter((scope) => rights.scopes.includes(scope))
    )
    expect(canChangePortfolios(rights)).toBe(true)
    expect(canMoveSites(rights)).toBe(true)
  })

  it("excludes what is of the whole organisation for a limited user", () => {
    const refused = apiScopes.filter((scope) => !can(rightsOf(apiScopes, ["a", "b"]), scope))
    expect(refused.toSorted()).toEqual(["requirements:write", "webhooks:read", "webhooks:write"])
    expect(canChangePortfolios(rightsOf(apiScopes, ["a", "b"]))).toBe(false)
  })

  it("includes moving sites for a limited user with two portfolios", () => {
    expect(canMoveSites(rightsOf(apiScopes, ["a", "b"]))).toBe(true)
    expect(canMoveSites(rightsOf(apiScopes, ["a"]))).toBe(false)
    expect(canMoveSites(rightsOf(apiScopes, []))).toBe(false)
    expect(canMoveSites(rightsOf(["sites:write"], ["a", "b"]))).toBe(false)
  })
})
