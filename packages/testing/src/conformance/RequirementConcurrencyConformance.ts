/**
 * Concurrent changes of the list of a `RequirementRepository`.
 */
import {
  type DocumentRequirement,
  DocumentType,
  PortfolioRepository,
  PortfoliosNotFound,
  RequirementRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Result } from "effect"
import { aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { race, repeatedly, succeeded, succeededOrRefused } from "./Expectations.ts"
import { currentRequirements, type RequirementPorts } from "./RequirementRecordsConformance.ts"
import { changedAgainAt, changedAt, insertOrganisation, insertPortfolio } from "./Setup.ts"

const at = { at: changedAt }

/** Lists of different lengths, so that entries of two lists cannot look like one of them. */
const lists: ReadonlyArray<ReadonlyArray<DocumentRequirement>> = DocumentType.literals
  .slice(0, 5)
  .map((documentType, index) =>
    Array.from({ length: 5 - index }, (_, days) => aRequirement({ documentType, expiringWithinDays: days + 1 }))
  )

const concurrently = <A, E, R>(attempts: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(attempts.map(Effect.result), { concurrency: "unbounded" })

export const requirementConcurrencyCases: ReadonlyArray<ConformanceCase<RequirementPorts>> = [
  {
    name: "lets one of several concurrent replacements of the same expected version win",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* RequirementRepository
        const organisationId = yield* insertOrganisation()
        for (const version of [0, 1]) {
          const results = yield* concurrently(
            lists.map((list) =>
              replace(organisationId, version === 0 ? list : list.slice(1), {
                at: changedAt,
                expectedVersions: [version]
              })
            )
          )
          const won = results.filter(Result.isSuccess).map(({ success }) => ({ ...success }))
          for (const result of results) succeededOrRefused(result, VersionMismatch, "the others find a new version")
          assert.deepEqual(won, [yield* currentRequirements(organisationId)], "one list is stored whole")
        }
      })
    )
  },
  {
    name: "loses none of several concurrent replacements and mixes no two lists",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* RequirementRepository
        const organisationId = yield* insertOrganisation()
        const results = yield* concurrently(lists.map((list) => replace(organisationId, list, at)))
        const answers = results.map((result) => succeeded(result, "no replacement is refused"))
        const versions = answers.map(({ version }) => version).toSorted((a, b) => a - b)
        assert.deepEqual(versions, [1, 2, 3, 4, 5], "each is a change")
        const last = answers.find(({ version }) => version === 5)
        assert.deepEqual(yield* currentRequirements(organisationId), { ...last }, "the last one is stored whole")
      })
    )
  },
  {
    name: "keeps no requirement of a portfolio that is deleted meanwhile",
    check: repeatedly(
      Effect.gen(function* () {
        const { replace } = yield* RequirementRepository
        const portfolios = yield* PortfolioRepository
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
        const { replace } = yield* RequirementRepository
        const portfolios = yield* PortfolioRepository
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
