import type { ApiScope } from "@solar-sites/core/model"
import { describe, expect, it } from "vitest"
import { searchActions } from "../../src/search/searchActions.ts"
import { rightsOf } from "../Rights.ts"

const labelsOf = (
  scopes: ReadonlyArray<ApiScope>,
  canInvite = false,
  portfolioIds: ReadonlyArray<string> | null = null
) => searchActions(rightsOf(scopes, portfolioIds), canInvite).map(({ label }) => label)

describe("the actions of the search", () => {
  it("are those that the scopes allow", () => {
    expect(labelsOf(["sites:read", "portfolios:read", "documents:read"])).toEqual([])
    expect(labelsOf(["sites:write"])).toEqual(["New site", "Import sites"])
    expect(labelsOf(["documents:write", "portfolios:write"])).toEqual(["Upload files", "New portfolio"])
  })

  it("leave new portfolios out for users who are limited to some", () =>
    expect(labelsOf(["documents:write", "portfolios:write"], false, ["a"])).toEqual(["Upload files"]))

  it("include invitations where users can be invited", () => expect(labelsOf([], true)).toEqual(["Invite a user"]))
})
