/**
 * The list of a `RequirementRepository`: stored as a whole, refused as a whole.
 */
import {
  type DocumentRequirement,
  DocumentType,
  maximumRequirements,
  type OrganisationId,
  OrganisationNotFound,
  OrganisationRepository,
  type PortfolioId,
  PortfolioRepository,
  PortfoliosNotFound,
  RequirementRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect } from "effect"
import { anOrganisationId, aPortfolio, aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import type { DocumentPorts } from "./DocumentSetup.ts"
import { refused } from "./Expectations.ts"
import { changedAgainAt, changedAt, insertOrganisation, insertPortfolio } from "./Setup.ts"

/** Ports of the cases about requirements and coverage. */
export type RequirementPorts = RequirementRepository | DocumentPorts

const at = { at: changedAt }

/** The stored list as plain values. */
export const currentRequirements = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { requirements, version } = yield* (yield* RequirementRepository).find(organisationId)
  return { requirements, version }
})

const mixed = (...portfolioIds: ReadonlyArray<PortfolioId>): ReadonlyArray<DocumentRequirement> => [
  aRequirement({ documentType: "warranty_information" }),
  ...portfolioIds.map((portfolioId) =>
    aRequirement({ documentType: "insurance", portfolioId, validityRequired: true })
  ),
  aRequirement({ documentType: "insurance", expiringWithinDays: 365 }),
  aRequirement({ documentType: "epc", expiringWithinDays: 1 })
]

export const requirementRecordsCases: ReadonlyArray<ConformanceCase<RequirementPorts>> = [
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
      const { replace } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      const [one, two] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const others = yield* Effect.forEach(Array.from({ length: 11 }), () => insertPortfolio(organisationId))
      const everywhere = [null, one.id, two.id, ...others.map(({ id }) => id)]
      const all = DocumentType.literals.flatMap((documentType) =>
        everywhere.map((portfolioId) => aRequirement({ documentType, portfolioId }))
      )
      const lists = [
        mixed(two.id, one.id),
        mixed(two.id, one.id).toReversed(),
        mixed(one.id).slice(1),
        [],
        all.slice(0, maximumRequirements),
        mixed()
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
      const { replace } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      assert.equal((yield* replace(organisationId, [], at)).version, 0, "an empty list in place of none")
      const { id } = yield* insertPortfolio(organisationId)
      const requirements = mixed(id)
      yield* replace(organisationId, requirements, at)
      const again = yield* replace(organisationId, requirements, { at: changedAgainAt, expectedVersions: [1] })
      assert.deepEqual({ ...again }, { requirements, version: 1 })
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements, version: 1 })
    })
  },
  {
    name: "replaces only an expected version, 0 before the list is stored",
    check: Effect.gen(function* () {
      const { replace } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      const put = (requirements: ReadonlyArray<DocumentRequirement>, expectedVersions: ReadonlyArray<number>) =>
        replace(organisationId, requirements, { at: changedAt, expectedVersions })
      for (const expectedVersions of [[], [1], [2, Number.MAX_SAFE_INTEGER]]) {
        const { actual } = yield* refused(put(mixed(), expectedVersions), VersionMismatch, "nothing is stored yet")
        assert.equal(actual, 0)
      }
      yield* refused(put([], [7]), VersionMismatch, "the version is judged of an equal list, too")
      assert.equal((yield* put(mixed(), [0])).version, 1)
      const { actual } = yield* refused(put([], [0, 2]), VersionMismatch, "another version")
      assert.equal(actual, 1)
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements: mixed(), version: 1 })
      assert.equal((yield* put([], [9, 1])).version, 2, "one of the versions is enough")
    })
  },
  {
    name: "refuses all missing portfolios first, and one of another organisation as missing",
    check: Effect.gen(function* () {
      const { replace } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      const { id: own } = yield* insertPortfolio(organisationId)
      const { id: foreign } = yield* insertPortfolio(yield* insertOrganisation())
      const { id: absent } = aPortfolio()
      for (const missing of [[foreign], [absent], [foreign, absent], [absent, foreign]]) {
        // The list names each of them twice.
        const again = missing.map((portfolioId) => aRequirement({ documentType: "ppm", portfolioId }))
        const requirements = [...mixed(own, ...missing), ...again]
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
      const { replace } = yield* RequirementRepository
      const organisationId = anOrganisationId()
      const attempt = replace(organisationId, mixed(), at)
      const { organisationId: refusedId } = yield* refused(attempt, OrganisationNotFound, "an absent organisation")
      assert.equal(refusedId, organisationId)
    })
  },
  {
    name: "removes the requirements of a deleted portfolio and counts that as one change",
    check: Effect.gen(function* () {
      const { replace } = yield* RequirementRepository
      const portfolios = yield* PortfolioRepository
      const organisationId = yield* insertOrganisation()
      const [one, two] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const ofOne = aRequirement({ documentType: "ppm", portfolioId: one.id })
      yield* replace(organisationId, [ofOne, ...mixed(one.id, two.id)], at)
      const stale = portfolios.delete(organisationId, one.id, { at: changedAgainAt, expectedVersions: [2] })
      yield* refused(stale, VersionMismatch, "a stale version of the portfolio")
      assert.equal((yield* currentRequirements(organisationId)).version, 1, "a refused deletion removes nothing")
      yield* portfolios.delete(organisationId, one.id, { at: changedAgainAt })
      const remaining = { requirements: mixed(two.id), version: 2 }
      assert.deepEqual(yield* currentRequirements(organisationId), remaining)
      yield* portfolios.delete(organisationId, (yield* insertPortfolio(organisationId)).id, at)
      assert.deepEqual(yield* currentRequirements(organisationId), remaining, "a portfolio without requirements")
      assert.equal((yield* replace(organisationId, mixed(two.id), at)).version, 2, "gaps are no difference")
    })
  },
  {
    name: "keeps the lists of organisations apart, also with portfolios of the same ids",
    check: Effect.gen(function* () {
      const { replace } = yield* RequirementRepository
      const portfolios = yield* PortfolioRepository
      const { id } = aPortfolio()
      const owners = [yield* insertOrganisation(), yield* insertOrganisation()] as const
      for (const organisationId of owners) {
        yield* portfolios.insertMany(organisationId, [aPortfolio({ id, organisationId })])
        yield* replace(organisationId, mixed(id), at)
      }
      const [first, second] = owners
      yield* replace(first, mixed(id).slice(1), at)
      const untouched = { requirements: mixed(id), version: 1 }
      assert.deepEqual(yield* currentRequirements(second), untouched, "after a replacement")
      yield* portfolios.delete(first, id, at)
      assert.deepEqual(yield* currentRequirements(second), untouched, "after a deletion")
      assert.deepEqual(yield* currentRequirements(first), { requirements: mixed().slice(1), version: 3 })
    })
  },
  {
    name: "lets the list go with its organisation",
    check: Effect.gen(function* () {
      const organisations = yield* OrganisationRepository
      const organisationId = yield* insertOrganisation()
      yield* (yield* RequirementRepository).replace(organisationId, mixed(), at)
      assert.equal(yield* organisations.delete(organisationId), true, "a list does not hold its organisation")
      assert.deepEqual(yield* currentRequirements(organisationId), { requirements: [], version: 0 })
    })
  }
]
