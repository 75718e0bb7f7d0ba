/**
 * The list of requirements is stored as a whole and refused as a whole.
 */
import {
  type DocumentRequirement,
  DocumentType,
  maximumRequirements,
  OrganisationNotFound,
  PortfoliosNotFound,
  requirementListRecords,
  VersionMismatch
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { currentRequirements, mixedRequirements } from "../../src/conformance/RequirementSetup.ts"
import {
  changedAgainAt,
  changedAt,
  insertOrganisation,
  insertPortfolio,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { anOrganisationId, aPortfolio, aRequirement } from "../../src/fixtures.ts"

const at = { at: changedAt }

export const requirementListCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "finds an empty list of version 0 where nothing is stored",
    check: Effect.gen(function* () {
      const empty = { requirements: [], version: 0 }
      assert.deepEqual(yield* currentRequirements(yield* insertOrganisation()), empty)
      assert.deepEqual(yield* currentRequirements(anOrganisationId()), empty, "also without an organisation")
    })
  },
  {
    name: "stores the list with its order and replaces it as a whole",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const organisationId = yield* insertOrganisation()
      const [one, two] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const others = yield* Effect.forEach(Array.from({ length: 11 }), () => insertPortfolio(organisationId))
      const everywhere = [null, one.id, two.id, ...others.map(({ id }) => id)]
      const all = DocumentType.literals.flatMap((documentType) =>
        everywhere.map((portfolioId) => aRequirement({ documentType, portfolioId }))
      )
      const lists = [
        mixedRequirements(two.id, one.id),
        mixedRequirements(two.id, one.id).toReversed(),
        mixedRequirements(one.id).slice(1),
        [],
        all.slice(0, maximumRequirements),
        mixedRequirements()
      ]
      for (const [index, requirements] of lists.entries()) {
        const replaced = yield* replace(organisationId, requirements, at)
        const expected = { requirements, version: index + 1 }
        assert.deepEqual({ ...replaced }, expected, "the answer is what is stored")
        assert.deepEqual(yield* currentRequirements(organisationId), expected, "what is stored")
      }
    })
  },
  {
    name: "changes nothing when the list is equal, the version included",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const organisationId = yield* insertOrganisation()
      assert.equal((yield* replace(organisationId, [], at)).version, 0, "an empty list in place of none")
      const { id } = yield* insertPortfolio(organisationId)
      const requirements = mixedRequirements(id)
      yield* replace(organisationId, requirements, at)
      const again = yield* replace(organisationId, requirements, { at: changedAgainAt, expectedVersions: [1] })
      assert.deepEqual({ ...again }, { requirements, version: 1 })
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements, version: 1 })
    })
  },
  {
    name: "replaces only an expected version, 0 before the list is stored",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const organisationId = yield* insertOrganisation()
      const put = (requirements: ReadonlyArray<DocumentRequirement>, expectedVersions: ReadonlyArray<number>) =>
        replace(organisationId, requirements, { at: changedAt, expectedVersions })
      for (const expectedVersions of [[], [1], [2, Number.MAX_SAFE_INTEGER]]) {
        const { actual } = yield* refused(
          put(mixedRequirements(), expectedVersions),
          VersionMismatch,
          "nothing is stored yet"
        )
        assert.equal(actual, 0)
      }
      yield* refused(put([], [7]), VersionMismatch, "the version is judged of an equal list, too")
      assert.equal((yield* put(mixedRequirements(), [0])).version, 1)
      const { actual } = yield* refused(put([], [0, 2]), VersionMismatch, "another version")
      assert.equal(actual, 1)
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements: mixedRequirements(), version: 1 })
      assert.equal((yield* put([], [9, 1])).version, 2, "one of the versions is enough")
    })
  },
  {
    name: "refuses all missing portfolios first, and one of another organisation as missing",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const organisationId = yield* insertOrganisation()
      const { id: own } = yield* insertPortfolio(organisationId)
      const { id: foreign } = yield* insertPortfolio(yield* insertOrganisation())
      const { id: absent } = aPortfolio()
      for (const missing of [[foreign], [absent], [foreign, absent], [absent, foreign]]) {
        // The list names each of them twice.
        const again = missing.map((portfolioId) => aRequirement({ documentType: "ppm", portfolioId }))
        const requirements = [...mixedRequirements(own, ...missing), ...again]
        const stale = { at: changedAt, expectedVersions: [4] }
        const { portfolioIds } = yield* refused(
          replace(organisationId, requirements, stale),
          PortfoliosNotFound,
          "before the version"
        )
        assert.deepEqual(portfolioIds, missing, "each once, in order")
      }
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements: [], version: 0 })
    })
  },
  {
    name: "refuses the list of an absent organisation",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const organisationId = anOrganisationId()
      const attempt = replace(organisationId, mixedRequirements(), at)
      const { organisationId: refusedId } = yield* refused(attempt, OrganisationNotFound, "an absent organisation")
      assert.equal(refusedId, organisationId)
    })
  }
]
