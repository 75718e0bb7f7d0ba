/**
 * The list of a `RequirementRepository`: stored as a whole, refused as a whole.
 */
import { OrganisationRepository, requirementListRecords, VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused } from "./Expectations.ts"
import { portfolioMethods } from "./Methods.ts"
import { currentRequirements, mixedRequirements } from "./RequirementSetup.ts"
import { changedAgainAt, changedAt, insertOrganisation, insertPortfolio, type RecordPorts } from "./Setup.ts"

const at = { at: changedAt }

export const portfolioRequirementCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "removes the requirements of a deleted portfolio and counts that as one change",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [one, two] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const ofOne = aRequirement({ documentType: "ppm", portfolioId: one.id })
      yield* replace(organisationId, [ofOne, ...mixedRequirements(one.id, two.id)], at)
      const stale = portfolios.delete(organisationId, one.id, { at: changedAgainAt, expectedVersions: [2] })
      yield* refused(stale, VersionMismatch, "a stale version of the portfolio")
      assert.equal((yield* currentRequirements(organisationId)).version, 1, "a refused deletion removes nothing")
      yield* portfolios.delete(organisationId, one.id, { at: changedAgainAt })
      const remaining = { requirements: mixedRequirements(two.id), version: 2 }
      assert.deepEqual(yield* currentRequirements(organisationId), remaining)
      yield* portfolios.delete(organisationId, (yield* insertPortfolio(organisationId)).id, at)
      assert.deepEqual(yield* currentRequirements(organisationId), remaining, "a portfolio without requirements")
      assert.equal((yield* replace(organisationId, mixedRequirements(two.id), at)).version, 2, "gaps are no difference")
    })
  },
  {
    name: "keeps the lists of organisations apart, also with portfolios of the same ids",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const portfolios = yield* portfolioMethods
      const { id } = aPortfolio()
      const owners = [yield* insertOrganisation(), yield* insertOrganisation()] as const
      for (const organisationId of owners) {
        yield* portfolios.insertMany(organisationId, [aPortfolio({ id, organisationId })])
        yield* replace(organisationId, mixedRequirements(id), at)
      }
      const [first, second] = owners
      yield* replace(first, mixedRequirements(id).slice(1), at)
      const untouched = { requirements: mixedRequirements(id), version: 1 }
      assert.deepEqual(yield* currentRequirements(second), untouched, "after a replacement")
      yield* portfolios.delete(first, id, at)
      assert.deepEqual(yield* currentRequirements(second), untouched, "after a deletion")
      assert.deepEqual(yield* currentRequirements(first), { requirements: mixedRequirements().slice(1), version: 3 })
    })
  },
  {
    name: "lets the list go with its organisation",
    check: Effect.gen(function* () {
      const organisations = yield* OrganisationRepository
      const organisationId = yield* insertOrganisation()
      yield* (yield* requirementListRecords).replace(organisationId, mixedRequirements(), at)
      assert.equal(yield* organisations.delete(organisationId), true, "a list does not hold its organisation")
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements: [], version: 0 })
    })
  }
]
