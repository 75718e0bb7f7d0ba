/**
 * Concurrent renames of a portfolio.
 */

import { PortfolioNotFound, VersionMismatch } from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { race, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { portfolioMethods } from "../../src/conformance/Methods.ts"
import { changedAt, currentPortfolio, type RecordPorts } from "../../src/conformance/Setup.ts"
import { aPortfolio } from "../../src/fixtures.ts"
import { twoPortfolios } from "./PortfolioSetup.ts"

const at = { at: changedAt }

export const portfolioRenameCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "lets one of several concurrent renames of the same expected version win",
    check: Effect.gen(function* () {
      const { update } = yield* portfolioMethods
      const { one, organisationId } = yield* twoPortfolios
      const options = { at: changedAt, expectedVersions: [1] }
      const results = yield* Effect.forEach(
        ["A", "B", "C", "D", "E"],
        (name) => Effect.result(update(organisationId, one.id, { name }, options)),
        { concurrency: "unbounded" }
      )
      const won = results.filter(Result.isSuccess).map(({ success }) => success)
      assert.equal(won.length, 1, "one rename found the version it expected")
      for (const result of results) succeededOrRefused(result, VersionMismatch, "the others find a new version")
      assert.deepEqual(yield* currentPortfolio(one), won[0], "the winner's name is what is stored")
    })
  },
  {
    name: "loses none of ten concurrent renames, and lets one of two deletes succeed",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const { one, organisationId } = yield* twoPortfolios
      const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`)
      const answers = yield* Effect.forEach(names, (name) => portfolios.update(organisationId, one.id, { name }, at), {
        concurrency: "unbounded"
      })
      const last = answers.find(({ version }) => version === 11)
      assert.equal(new Set(answers.map(({ version }) => version)).size, 10, "each answers the state it made")
      assert.deepEqual(yield* currentPortfolio(one), last && aPortfolio(last), "the last one is what is stored")
      const results = yield* race(
        portfolios.delete(organisationId, one.id, at),
        portfolios.delete(organisationId, one.id, at)
      )
      const wins = results.map((result) => succeededOrRefused(result, PortfolioNotFound, "the other one finds nothing"))
      assert.deepEqual(wins.toSorted(), [false, true], "one of them deleted it")
    })
  }
]
