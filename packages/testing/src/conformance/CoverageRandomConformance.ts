/**
 * Coverage and health of sites over random requirements and documents, compared with the functions of core on every day that matters.
 */

import {
  type CalendarDate,
  type CoverageConditions,
  CoverageState,
  clustersOfSites,
  coverageSummary,
  type Document,
  type DocumentRequirement,
  type DocumentStatus,
  type DocumentType,
  pageOfCoverage,
  pageOfSites,
  type Reach,
  RequirementRepository,
  requirementListRecords,
  type Site,
  SiteHealth,
  SiteRepository,
  sitesOfHealth,
  sourcesWithin
} from "@solar-sites/core"
import { Effect } from "effect"
import { aDocument, aRequirement } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { addDays, allCoverage, allDocuments, type CoveragePorts, makeChoices, today } from "./CoverageSetup.ts"
import { applySteps, documentOf, farFuture, stepsTo } from "./DocumentSetup.ts"
import { documentMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite } from "./Setup.ts"
import { inOtherZone } from "./TimeZone.ts"

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

/** Sites of another organisation with the ids of these, and a valid document of each type. */
const insertTwins = Effect.fnUntraced(function* (sites: ReadonlyArray<Site>) {
  const organisationId = yield* insertOrganisation()
  for (const { id } of sites) {
    const site = yield* insertSite(organisationId, { id })
    const documents = types.map((documentType) =>
      documentOf(site, { documentType, validFrom: addDays(today, -90), validUntil: addDays(today, 90) })
    )
    yield* (yield* documentMethods).insertMany(organisationId, id, documents, farFuture)
    yield* Effect.forEach(documents, (document) => applySteps(document, ...stepsTo.approved), {
      concurrency: "unbounded"
    })
  }
})

const insertRecords = Effect.fnUntraced(function* (choices: Choices) {
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const portfolios = [(yield* insertPortfolio(organisationId)).id, (yield* insertPortfolio(organisationId)).id] as const
  // Each day costs several statements, for any number of sites.
  const sites = yield* Effect.forEach(
    Array.from({ length: 16 }, () => of(null, ...portfolios)),
    (portfolioId) => insertSite(organisationId, { portfolioId, longitude: below(9), latitude: below(9) }),
    { concurrency: "unbounded" }
  )
  for (const site of sites) yield* insertDocuments(site, choices)
  yield* insertTwins(sites.slice(0, 4))
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
  const records = { sites, documents, requirements: list }
  return { organisationId, portfolios, records }
})

/** All days on which something changes, and those around them. */
const daysOf = (documents: ReadonlyArray<Document>): ReadonlyArray<CalendarDate> => {
  const ends = documents.flatMap(({ validFrom, validUntil }) => [validFrom ?? [], validUntil ?? []].flat())
  const near = [...ends, today].flatMap((end) => [-7, -6, -5, -4, -3, -2, -1, 0, 1].map((days) => addDays(end, days)))
  return [...new Set(near)].sort()
}

const compare = Effect.fnUntraced(function* (seed: number) {
  const { summariseCoverage } = yield* RequirementRepository
  const choices = makeChoices(seed)
  const { organisationId, portfolios, records } = yield* insertRecords(choices)
  const expectList = Effect.fnUntraced(function* (conditions: CoverageConditions, limit: number) {
    const { items } = pageOfCoverage(records, conditions, { after: null, limit: 1_000 })
    const where = `seed ${seed}, ${JSON.stringify(conditions)}`
    assert.deepEqual(yield* allCoverage(organisationId, conditions, limit), items, where)
  })
  const expectNumbers = Effect.fnUntraced(function* (conditions: Pick<CoverageConditions, "asOf" | "portfolioId">) {
    const found = yield* summariseCoverage(organisationId, conditions)
    assert.deepEqual(found, coverageSummary(records, conditions), `seed ${seed}, ${JSON.stringify(conditions)}`)
  })
  const sites = yield* SiteRepository
  const expectSites = Effect.fnUntraced(function* (asOf: CalendarDate, isOnMap: boolean) {
    const health = { is: choices.of(...SiteHealth.literals), asOf }
    const conditions = { ...(choices.of(true, false) && { portfolioId: choices.of(...portfolios) }) }
    const page = {
      after: null,
      limit: choices.of(3, 1_000),
      sort: { by: "siteName", order: "desc", value: null }
    } as const
    const reach = choices.of<Reach>(organisationId, { organisationId, portfolioIds: portfolios })
    const found = yield* sites.list(reach, { ...conditions, health }, page)
    const within = sitesOfHealth(sourcesWithin(reach, records), health)
    const expected = pageOfSites(within, conditions, page, Number.POSITIVE_INFINITY)
    const where = `seed ${seed}, ${JSON.stringify({ reach, ...conditions, health })}`
    assert.deepEqual({ ...found }, expected, where)
    if (!isOnMap) return
    const counted = yield* sites.clusters(reach, { ...conditions, health })
    assert.deepEqual(counted, clustersOfSites(within, conditions), `on a map, ${where}`)
  })
  for (const [number, asOf] of daysOf(records.documents).entries()) {
    // Small pages on some days: a page is a statement of a database.
    const limit = choices.of(4 + choices.below(12), 1_000, 1_000, 1_000)
    yield* expectList({ asOf }, limit)
    if (choices.of(true, false)) yield* expectSites(asOf, number % 4 === 0)
    const portfolioId = choices.of(...portfolios)
    if (choices.of(true, false)) {
      yield* expectNumbers({ asOf })
      yield* expectNumbers({ asOf, portfolioId })
    } else {
      const state = choices.of(undefined, ...CoverageState.literals)
      const documentType = choices.of(undefined, ...types)
      const isOfPortfolio = choices.below(3) === 0
      const some = { asOf, ...(state && { state }), ...(documentType && { documentType }) }
      yield* expectList({ ...some, ...(isOfPortfolio && { portfolioId }) }, limit)
    }
  }
})

export const coverageRandomCases: ReadonlyArray<ConformanceCase<CoveragePorts>> = [1, 2].map((seed) => {
  const name = `computes coverage as core does, on every day (random records ${seed})`
  const one = { name, check: compare(seed) }
  return seed === 1 ? one : inOtherZone(one)
})
