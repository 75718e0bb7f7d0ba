/**
 * Creation of sites, and commands about sites that are not there.
 */

import { OrganisationNotFound, PortfolioNotFound, SiteNotFound } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAt,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { anOrganisationId, aPortfolio, aSite } from "../../src/fixtures.ts"

const everything = { after: null, limit: 100 }
const nothing = { items: [], hasMore: false }

export const siteInsertCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "finds an inserted site unchanged",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const inserted = [
        aSite({ organisationId }),
        aSite({ organisationId, portfolioId, version: 7, updatedAt: changedAt })
      ]
      for (const site of inserted) yield* sites.insert(organisationId, site)
      for (const site of inserted) {
        assert.deepEqual(yield* sites.findById(organisationId, site.id), Option.some(site))
      }
    })
  },
  {
    name: "finds, lists, updates and deletes nothing where there is nothing",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const { id } = aSite()
      for (const organisationId of [yield* insertOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* sites.findById(organisationId, id), Option.none())
        assert.deepEqual(yield* sites.list(organisationId, {}, everything), nothing)
        const refusals = [
          yield* refused(
            sites.update(organisationId, id, { siteName: "X" }, { at: changedAt }),
            SiteNotFound,
            "an update"
          ),
          yield* refused(sites.delete(organisationId, id), SiteNotFound, "a delete")
        ]
        for (const { siteIds } of refusals) assert.deepEqual(siteIds, [id], "the refusal names the site")
      }
    })
  },
  {
    name: "refuses a site of an organisation that does not exist",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = aSite()
      const insert = sites.insert(site.organisationId, site)
      const { organisationId } = yield* refused(insert, OrganisationNotFound, "an insert for an absent organisation")
      assert.equal(organisationId, site.organisationId, "the refusal names the organisation")
      assert.equal(yield* currentSite(site), null, "a refused insert stores nothing")
    })
  },
  {
    name: "refuses a site in a portfolio that the organisation does not have",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const absent = aPortfolio().id
      const foreign = (yield* insertPortfolio(yield* insertOrganisation())).id
      for (const portfolioId of [absent, foreign]) {
        const site = aSite({ organisationId, portfolioId })
        const refusal = yield* refused(sites.insert(organisationId, site), PortfolioNotFound, "an insert into nothing")
        assert.equal(refusal.portfolioId, portfolioId, "the refusal names the portfolio")
        assert.equal(yield* currentSite(site), null, "a refused insert stores nothing")
      }
    })
  }
]
