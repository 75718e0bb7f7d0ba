import { describe, expect, it } from "@effect/vitest"
import { addSites, checkedVersion, deletePortfolio, removeSites } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { Result } from "effect"

const { id: portfolioId } = aPortfolio()
const siteIds = [aSite().id, aSite().id, aSite().id]
const [first, second, third] = siteIds
const missing = [third, first].flatMap((id) => id ?? [])
const stale = checkedVersion([1], { version: 2 }) ?? { version: 0, isExpected: false }

/** The members of a refusal, or "allowed". */
const refusal = (result: Result.Result<void, object>) =>
  Result.isFailure(result) ? { ...result.failure } : ("allowed" as const)

describe("deletePortfolio", () => {
  const judge = deletePortfolio(portfolioId)

  it("refuses an absent portfolio and another version", () => {
    expect(refusal(judge(null))).toMatchObject({ _tag: "PortfolioNotFound", portfolioId })
    expect(refusal(judge(stale))).toMatchObject({ _tag: "VersionMismatch", actual: 2 })
    expect(refusal(judge(checkedVersion([1, 2], { version: 2 })))).toBe("allowed")
    expect(refusal(judge(checkedVersion(undefined, { version: 2 })))).toBe("allowed")
  })
})

describe("addSites", () => {
  const judge = addSites(portfolioId, siteIds)

  it("refuses in the order portfolio, sites in the order given, size", () => {
    expect(refusal(judge(null))).toMatchObject({ _tag: "PortfolioNotFound", portfolioId })
    expect(refusal(judge({ missing, areTooLarge: true }))).toMatchObject({
      _tag: "SiteNotFound",
      siteIds: [first, third]
    })
    expect(refusal(judge({ missing: [], areTooLarge: true }))).toMatchObject({ _tag: "SitesTooLarge" })
    expect(refusal(judge({ missing: [], areTooLarge: false }))).toBe("allowed")
  })
})

describe("removeSites", () => {
  const judge = removeSites(portfolioId, siteIds)

  it("refuses in the order portfolio, sites in the order given, version", () => {
    expect(refusal(judge(null))).toMatchObject({ _tag: "PortfolioNotFound", portfolioId })
    expect(refusal(judge({ ...stale, missing: [second ?? ""] }))).toMatchObject({
      _tag: "SiteNotInPortfolio",
      portfolioId,
      siteIds: [second]
    })
    expect(refusal(judge({ ...stale, missing: [] }))).toMatchObject({ _tag: "VersionMismatch", actual: 2 })
    expect(refusal(judge({ version: 2, isExpected: true, missing: [] }))).toBe("allowed")
  })
})
