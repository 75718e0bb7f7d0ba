import { describe, expect, it } from "@effect/vitest"
import { checkedVersion, type MovedSites } from "@solar-sites/core"
import { aPortfolio, aSite } from "@solar-sites/testing"
import { Result } from "effect"
import { addSites, deletePortfolio, removeSites } from "../../src/portfolios/PortfolioSiteRules.ts"

const { id: portfolioId } = aPortfolio()
const siteIds = [aSite().id, aSite().id, aSite().id]
const [first, second, third] = siteIds
const missing = [third, first].flatMap((id) => id ?? [])
const stale = checkedVersion([1], { version: 2 }) ?? { version: 0, isExpected: false }
const sites = [aSite()]
const moved: MovedSites = { version: 2, isExpected: true, missing: [], areTooLarge: false, sites: [] }

/** The members of a refusal, or "allowed". */
const refusal = (result: Result.Result<unknown, object>) =>
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
    expect(refusal(judge({ ...moved, missing, areTooLarge: true }))).toMatchObject({
      _tag: "SiteNotFound",
      siteIds: [first, third]
    })
    expect(refusal(judge({ ...moved, areTooLarge: true }))).toMatchObject({ _tag: "SitesTooLarge" })
    expect(judge({ ...moved, sites })).toEqual(Result.succeed(sites))
  })
})

describe("removeSites", () => {
  const judge = removeSites(portfolioId, siteIds)

  it("refuses in the order portfolio, sites in the order given, version", () => {
    expect(refusal(judge(null))).toMatchObject({ _tag: "PortfolioNotFound", portfolioId })
    expect(refusal(judge({ ...moved, ...stale, missing: second === undefined ? [] : [second] }))).toMatchObject({
      _tag: "SiteNotInPortfolio",
      portfolioId,
      siteIds: [second]
    })
    expect(refusal(judge({ ...moved, ...stale }))).toMatchObject({ _tag: "VersionMismatch", actual: 2 })
    expect(refusal(judge(moved))).toBe("allowed")
  })
})
