/**
 * The lists and numbers of a `RequirementRepository`: which sites are in them.
 */

import { RequirementRepository, requirementListRecords } from "@solar-sites/core"
import { Effect } from "effect"
import { aDocument, anOrganisationId, aPortfolio, aRequirement, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { allCoverage, type CoveragePorts, requiring, today } from "./CoverageSetup.ts"
import { insertDocument } from "./DocumentSetup.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, insertSites } from "./Setup.ts"

const at = { at: changedAt }

export const coverageListCases: ReadonlyArray<ConformanceCase<CoveragePorts>> = [
  {
    name: "pages sites by id, also those of a portfolio, and ends with the last one",
    check: Effect.gen(function* () {
      const { listCoverage } = yield* RequirementRepository
      const organisationId = yield* requiring()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const inside = yield* insertSites(organisationId, 4, { portfolioId })
      const outside = yield* insertSites(organisationId, 3)
      const idsOf = (sites: ReadonlyArray<{ readonly siteId: string }>) => sites.map(({ siteId }) => siteId)
      const ids = [...inside, ...outside].map(({ id }) => id)
      for (const limit of [1, 3, 7, 8]) {
        assert.deepEqual(idsOf(yield* allCoverage(organisationId, {}, limit)), ids, `pages of ${limit}`)
        const ofPortfolio = idsOf(yield* allCoverage(organisationId, { portfolioId, state: "missing" }, limit))
        assert.deepEqual(ofPortfolio, ids.slice(0, 4), `pages of ${limit} of the portfolio`)
      }
      const page = { after: null, limit: 7 }
      assert.equal((yield* listCoverage(organisationId, { asOf: today }, page)).next, null, "a full last page")
      const end = yield* listCoverage(organisationId, { asOf: today }, { after: ids[6] ?? null, limit: 7 })
      assert.deepEqual({ ...end }, { items: [], next: null }, "nothing follows the last site")
    })
  },
  {
    name: "finds sites without requirements complete, and nothing where nothing is",
    check: Effect.gen(function* () {
      const { summariseCoverage } = yield* RequirementRepository
      const organisationId = yield* insertOrganisation()
      const { id, siteName } = yield* insertSite(organisationId)
      const site = { siteId: id, siteName, portfolioId: null, complete: true, items: [] }
      assert.deepEqual(yield* allCoverage(organisationId), [site])
      assert.deepEqual(yield* summariseCoverage(organisationId, { asOf: today }), {
        siteCount: 1,
        completeCount: 1,
        documentTypes: []
      })
      const nothing = { siteCount: 0, completeCount: 0, documentTypes: [] }
      const { id: portfolioId } = aPortfolio()
      assert.deepEqual(yield* allCoverage(organisationId, { siteId: aSite().id }), [], "an unknown site")
      assert.deepEqual(yield* allCoverage(organisationId, { portfolioId }), [], "an unknown portfolio")
      assert.deepEqual(yield* allCoverage(organisationId, { siteId: id, portfolioId }), [], "a site outside")
      assert.deepEqual(yield* summariseCoverage(organisationId, { asOf: today, portfolioId }), nothing)
      assert.deepEqual(yield* allCoverage(anOrganisationId()), [], "an unknown organisation")
      assert.deepEqual(yield* summariseCoverage(anOrganisationId(), { asOf: today }), nothing)
    })
  },
  {
    name: "counts an organisation's own sites, requirements and documents where another one has the same ids",
    check: Effect.gen(function* () {
      const { replace } = yield* requirementListRecords
      const { summariseCoverage } = yield* RequirementRepository
      const portfolios = yield* portfolioMethods
      const sites = yield* siteMethods
      const { id: portfolioId } = aPortfolio()
      const [siteId, documentId] = [aSite().id, aDocument().id]
      const owners = [yield* insertOrganisation(), yield* insertOrganisation()] as const
      for (const [index, organisationId] of owners.entries()) {
        yield* portfolios.insertMany(organisationId, [aPortfolio({ id: portfolioId, organisationId })])
        const site = aSite({ id: siteId, organisationId, portfolioId, siteName: `Site of ${index}` })
        yield* sites.insert(organisationId, site)
        const documentType = index === 0 ? "ppa" : "epc"
        yield* insertDocument(site, { id: documentId, documentType })
        yield* replace(organisationId, [aRequirement({ documentType, portfolioId })], at)
      }
      for (const [index, organisationId] of owners.entries()) {
        const documentType = index === 0 ? ("ppa" as const) : ("epc" as const)
        for (const conditions of [{}, { portfolioId }, { siteId }, { siteId, portfolioId }]) {
          const [found, ...others] = yield* allCoverage(organisationId, conditions)
          assert.equal(others.length, 0, "its own site alone")
          assert.equal(found?.siteName, `Site of ${index}`)
          const item = { documentType, state: "pending", documentId, validUntil: null }
          assert.deepEqual(found?.items, [item])
        }
        for (const conditions of [{ asOf: today }, { asOf: today, portfolioId }]) {
          const { documentTypes, siteCount } = yield* summariseCoverage(organisationId, conditions)
          const counted = documentTypes.map((type) => [type.documentType, type.pending, type.missing])
          assert.deepEqual([siteCount, counted], [1, [[documentType, 1, 0]]])
        }
      }
    })
  }
]
