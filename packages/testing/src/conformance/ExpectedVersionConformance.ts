/**
 * Expected versions beyond the range of stores, since `If-Match` accepts any number. They are
 * mismatches, not failures.
 */

import { VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import {
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "./Setup.ts"

/** The first numbers beyond 32 bits, and the largest safe integer. */
export const tooGreat = [2 ** 31, 3_000_000_000, Number.MAX_SAFE_INTEGER]

/** Expects a mismatch with version 1 for each of these versions. */
export const mismatches = Effect.fnUntraced(function* (
  attempt: (expectedVersions: ReadonlyArray<number>) => Effect.Effect<unknown, unknown>
) {
  for (const version of tooGreat) {
    const { actual } = yield* refused(attempt([version]), VersionMismatch, `version ${version}`)
    assert.equal(actual, 1, "the refusal tells the version there is")
  }
})

export const siteExpectedVersionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "deletes no site of an expected version beyond any range, alone and among others",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = yield* insertSite(yield* insertOrganisation())
      const { id, organisationId } = site
      yield* mismatches((expectedVersions) => sites.delete(organisationId, id, expectedVersions))
      assert.deepEqual(yield* currentSite(site), site, "nothing is changed")
      yield* sites.delete(organisationId, id, [1, ...tooGreat])
      assert.equal(yield* currentSite(site), null, "one of the versions is enough")
    })
  }
]

export const portfolioExpectedVersionCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "moves no site out of a portfolio and deletes none of an expected version beyond any range",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const portfolio = yield* insertPortfolio(yield* insertOrganisation())
      const { id, organisationId } = portfolio
      const site = yield* insertSite(organisationId, { portfolioId: id })
      const remove = (expectedVersions: ReadonlyArray<number>) =>
        portfolios.removeSites(organisationId, id, [site.id], { at: changedAt, expectedVersions })
      yield* mismatches(remove)
      yield* mismatches((expectedVersions) =>
        portfolios.delete(organisationId, id, { at: changedAt, expectedVersions })
      )
      assert.deepEqual(yield* currentSite(site), site, "nothing is changed")
      yield* remove([...tooGreat, 1])
      yield* portfolios.delete(organisationId, id, { at: changedAt, expectedVersions: [1, ...tooGreat] })
      assert.equal(yield* currentPortfolio(portfolio), null, "one of the versions is enough")
    })
  }
]
