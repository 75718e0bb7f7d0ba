/**
 * Coverage over random requirements and documents, compared with a model on every day that matters.
 */

import {
  type CalendarDate,
  CoverageState,
  type DocumentRequirement,
  type DocumentStatus,
  type DocumentType,
  RequirementRepository,
  requirementListRecords,
  type Site
} from "@solar-sites/core"
import { Effect } from "effect"
import { aDocument, aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { addDays, modelCoverage, modelSummary, type Records } from "./CoverageModel.ts"
import { allCoverage, allDocuments, type CoveragePorts, makeChoices, today } from "./CoverageSetup.ts"
import { applySteps, documentOf, farFuture, stepsTo } from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite } from "./Setup.ts"

const types = ["insurance", "ppa", "epc"] as const satisfies ReadonlyArray<DocumentType>

type Choices = ReturnType<typeof makeChoices>

/** Documents of a site, in one statement. Few types and near days make many of them compete for one item. */
const insertDocuments = Effect.fnUntraced(function* (site: Site, { below, of }: Choices) {
  const chosen = Array.from({ length: below(10) }, () => {
    const from = of(null, addDays(today, below(20) - 10))
    const until = of(null, addDays(from ?? today, below(12) - (from === null ? 6 : 0)))
    const documentType = of<DocumentType | null>(...types, null, "other")
    const status = of<DocumentStatus>("uploaded", "approved", "completed", "uploaded", "pending", "failed")
    const replacedBy = of(null, null, null, null, aDocument().id)
    return { document: documentOf(site, { documentType, validFrom: from, validUntil: until, replacedBy }), status }
  })
  const documents = chosen.map(({ document }) => document)
  yield* (yield* documentMethods).insertMany(site.organisationId, site.id, documents, farFuture)
  for (const { document, status } of chosen) yield* applySteps(document, ...stepsTo[status])
})

const insertRecords = Effect.fnUntraced(function* (choices: Choices) {
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const portfolios = [(yield* insertPortfolio(organisationId)).id, (yield* insertPortfolio(organisationId)).id] as const
  // Each day costs several statements, for any number of sites.
  const sites = yield* Effect.forEach(
    Array.from({ length: 16 }, () => of(null, ...portfolios)),
    (portfolioId) => insertSite(organisationId, { portfolioId }),
    { concurrency: "unbounded" }
  )
  for (const site of sites) yield* insertDocuments(site, choices)
  const requirements = new Map<string, DocumentRequirement>()
  for (let count = 6 + below(7); count > 0; count--) {
    const [documentType, portfolioId] = [of(...types), of(null, null, ...portfolios)]
    const requirement = {
      documentType,
      portfolioId,
      validityRequired: of(true, false),
      expiringWithinDays: 1 + below(6)
    }
    requirements.set(`${documentType} ${portfolioId}`, aRequirement(requirement))
  }
  const list = [...requirements.values()]
  yield* (yield* requirementListRecords).replace(organisationId, list, { at: changedAt })
  const documents = yield* allDocuments(organisationId)
  const records: Records = { sites, documents, requirements: list }
  return { organisationId, portfolios, records }
})

/** All days on which something changes, and those around them. */
const daysOf = ({ documents }: Records): ReadonlyArray<CalendarDate> => {
  const ends = documents.flatMap(({ validFrom, validUntil }) => [validFrom ?? [], validUntil ?? []].flat())
  const near = [...ends, today].flatMap((end) => [-7, -6, -5, -4, -3, -2, -1, 0, 1].map((days) => addDays(end, days)))
  return [...new Set(near)].sort()
}

const compare = Effect.fnUntraced(function* (seed: number) {
  const { summariseCoverage } = yield* RequirementRepository
  const choices = makeChoices(seed)
  const { organisationId, portfolios, records } = yield* insertRecords(choices)
  for (const asOf of daysOf(records)) {
    const where = `seed ${seed}, day ${asOf}`
    const expected = modelCoverage(records, asOf)
    // Small pages on some days: a page is a statement of a database.
    const limit = choices.of(4 + choices.below(12), 1_000, 1_000, 1_000)
    assert.deepEqual(yield* allCoverage(organisationId, { asOf }, limit), expected, where)

    const summaries = Effect.gen(function* () {
      assert.deepEqual(yield* summariseCoverage(organisationId, { asOf }), modelSummary(records, asOf), where)
      const portfolioId = choices.of(...portfolios)
      const ofPortfolio = yield* summariseCoverage(organisationId, { asOf, portfolioId })
      assert.deepEqual(ofPortfolio, modelSummary(records, asOf, portfolioId), `${where}, portfolio ${portfolioId}`)
    })
    const conditional = Effect.gen(function* () {
      const state = choices.of(undefined, ...CoverageState.literals)
      const documentType = choices.of(undefined, ...types)
      const matching = expected.filter(
        ({ items }) =>
          (state === undefined && documentType === undefined) ||
          items.some(
            (item) => item.state === (state ?? item.state) && item.documentType === (documentType ?? item.documentType)
          )
      )
      const conditions = { asOf, ...(state && { state }), ...(documentType && { documentType }) }
      const found = yield* allCoverage(organisationId, conditions, limit)
      assert.deepEqual(found, matching, `${where}, state ${state}, document type ${documentType}`)
    })
    yield* choices.of(summaries, conditional)
  }
})

export const coverageRandomCases: ReadonlyArray<ConformanceCase<CoveragePorts>> = [1, 2].map((seed) => ({
  name: `computes coverage as its definition says, on every day (random records ${seed})`,
  check: compare(seed)
}))
