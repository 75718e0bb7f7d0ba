/**
 * Concurrent changes of the list of a `RequirementRepository`.
 */
import { PortfoliosNotFound, requirementListRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { race, repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { portfolioMethods } from "./Methods.ts"
import { currentRequirements } from "./RequirementSetup.ts"
import { changedAgainAt, changedAt, insertOrganisation, insertPortfolio, type RecordPorts } from "./Setup.ts"

const at = { at: changedAt }

const concurrently = <A, E, R>(attempts: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(attempts.map(Effect.result), { concurrency: "unbounded" })

export const requirementConcurrencyCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "keeps no requirement of a portfolio that is deleted meanwhile",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* requirementListRecords
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const [one, two] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
        const of = (...ids: ReadonlyArray<typeof one.id>) =>
          ids.map((portfolioId) => aRequirement({ documentType: "ppa", portfolioId }))
        yield* replace(organisationId, of(one.id, two.id), at)
        const [replaced, deleted] = yield* race(
          replace(organisationId, of(two.id, one.id), at),
          portfolios.delete(organisationId, one.id, { at: changedAgainAt })
        )
        succeeded(deleted, "the portfolio can be deleted")
        const isReplaced = succeededOrRefused(replaced, PortfoliosNotFound, "the portfolio was deleted before")
        const expected = { requirements: of(two.id), version: isReplaced ? 3 : 2 }
        assert.deepEqual(yield* currentRequirements(organisationId), expected)
      })
    )
  },
  {
    name: "removes what two portfolios require that are deleted at once, without a deadlock with a replacement",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* requirementListRecords
        const portfolios = yield* portfolioMethods
        const organisationId = yield* insertOrganisation()
        const [one, two] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
        const general = aRequirement({ documentType: "epc" })
        const ofBoth = [two, one].map(({ id }) => aRequirement({ documentType: "ppa", portfolioId: id }))
        yield* replace(organisationId, ofBoth, at)
        const results = yield* concurrently<unknown, unknown, never>([
          portfolios.delete(organisationId, one.id, at),
          replace(organisationId, [general], at),
          portfolios.delete(organisationId, two.id, at)
        ])
        for (const result of results) succeeded(result, "none is refused")
        assert.deepEqual((yield* currentRequirements(organisationId)).requirements, [general])
      })
    )
  }
]
