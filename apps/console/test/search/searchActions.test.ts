import { describe, expect, it } from "vitest"
import { searchActions } from "../../src/search/searchActions.ts"

const labelsOf = (...rights: Parameters<typeof searchActions>) => searchActions(...rights).map(({ label }) => label)

describe("the actions of the search", () => {
  it("are those that the scopes allow", () => {
    expect(labelsOf({ scopes: ["sites:read", "portfolios:read", "documents:read"], canInvite: false })).toEqual([])
    expect(labelsOf({ scopes: ["sites:write"], canInvite: false })).toEqual(["New site", "Import sites"])
    expect(labelsOf({ scopes: ["documents:write", "portfolios:write"], canInvite: false })).toEqual([
      "Upload files",
      "New portfolio"
    ])
  })

  it("include invitations where users can be invited", () =>
    expect(labelsOf({ scopes: [], canInvite: true })).toEqual(["Invite a user"]))
})
