import { apiScopes, type PortfolioId } from "@solar-sites/core"
import { anApiKey, anOrganisation, aPortfolio } from "@solar-sites/testing"
import { DateTime } from "effect"
import { expect, describe as group, it } from "vitest"
import { apiKeyDocument, describe, organisationDocument, table } from "../../src/commands/Output.ts"

group("Output", () => {
  it("has id, name and status of an organisation", () => {
    const organisation = anOrganisation()
    expect(organisationDocument(organisation)).toEqual({
      id: organisation.id,
      name: organisation.name,
      status: "active"
    })
  })

  it("has no secret of a key, and times in UTC", () => {
    const apiKey = anApiKey({ lastUsedAt: DateTime.makeUnsafe("2026-11-20T10:00:00+01:00") })
    const document = apiKeyDocument(apiKey)
    const members = ["id", "name", "prefix", "createdAt", "expiresAt", "lastUsedAt", "scopes", "portfolioIds"]
    expect(Object.keys(document)).toEqual(members)
    expect(document).toMatchObject({ prefix: apiKey.prefix, lastUsedAt: "2026-11-20T09:00:00.000Z" })
    expect(apiKeyDocument(anApiKey({ lastUsedAt: null }))).toMatchObject({ lastUsedAt: null })
  })

  it("aligns tables by display width, wide characters included", () => {
    const documents = [
      { id: "1", name: "太陽", lastUsedAt: null },
      { id: "22", name: "Sun", lastUsedAt: "today" }
    ]
    expect(table(documents, "none")).toBe("ID  NAME  LAST USED AT\n1   太陽  never\n22  Sun   today")
    expect(table([], "none")).toBe("none")
  })

  it("shows scopes as a list, and all of them as one word", () => {
    expect(describe("Key.", { scopes: ["sites:read", "events:read"] })).toBe(
      "Key.\n\n  scopes  sites:read, events:read"
    )
    expect(describe("Key.", apiKeyDocument(anApiKey()))).toMatch(/scopes +all$/m)
  })

  it("shows the portfolios of a key", () => {
    const shown = (portfolioIds: ReadonlyArray<PortfolioId> | null) =>
      describe("Key.", apiKeyDocument(anApiKey({ portfolioIds })))
        .split("\n")
        .at(-1)
    expect(shown(null)).toMatch(/^ {2}portfolios +all$/)
    expect(shown([])).toMatch(/^ {2}portfolios +none$/)
    const ids = apiScopes.map(() => aPortfolio().id)
    expect(shown(ids)).toContain(ids.join(", "))
  })

  it("describes one thing line by line under a heading", () => {
    expect(describe("Made.", { id: "1", expiresAt: "soon" })).toBe("Made.\n\n  id          1\n  expires at  soon")
  })
})
