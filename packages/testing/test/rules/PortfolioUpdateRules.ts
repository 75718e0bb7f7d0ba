/**
 * Creation, change and deletion of portfolios.
 */

import { OrganisationNotFound, PortfolioNotFound, VersionMismatch } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { portfolioMethods } from "../../src/conformance/Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentPortfolio,
  currentSite,
  hostileTexts,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { inBothZones } from "../../src/conformance/TimeZone.ts"
import { anOrganisationId, aPortfolio } from "../../src/fixtures.ts"

const nothing = { items: [], hasMore: false }

export const portfolioUpdateCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "finds, lists, updates and deletes nothing where there is nothing",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const { id } = aPortfolio()
      const options = { at: changedAt, expectedVersions: [9] }
      for (const organisationId of [yield* insertOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* portfolios.findById(organisationId, id), Option.none())
        assert.deepEqual(yield* portfolios.list(organisationId, {}, { after: null, limit: 10 }), nothing)
        assert.deepEqual(yield* portfolios.listWithSites(organisationId, { after: null, limit: 10 }), nothing)
        const update = portfolios.update(organisationId, id, { name: "Ghost" }, options)
        const refusal = yield* refused(update, PortfolioNotFound, "absence comes before versions in an update")
        assert.equal(refusal.portfolioId, id, "the refusal names the portfolio")
        const remove = portfolios.delete(organisationId, id, options)
        yield* refused(remove, PortfolioNotFound, "absence comes before versions in a delete")
      }
    })
  },
  {
    name: "refuses portfolios of an organisation that does not exist",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const portfolio = aPortfolio()
      const insert = portfolios.insertMany(portfolio.organisationId, [portfolio])
      const { organisationId } = yield* refused(insert, OrganisationNotFound, "an insert for an absent organisation")
      assert.equal(organisationId, portfolio.organisationId, "the refusal names the organisation")
      assert.equal(yield* currentPortfolio(portfolio), null, "a refused insert stores nothing")
    })
  },
  ...inBothZones({
    name: "renames, increments the version and keeps the rest",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId, { name: "Before" })
      const bystander = yield* insertPortfolio(organisationId, { name: "Before" })
      const site = yield* insertSite(organisationId, { portfolioId: bystander.id })
      let expected = portfolio
      for (const name of ["After", ...hostileTexts]) {
        expected = aPortfolio({ ...expected, name, updatedAt: changedAt, version: expected.version + 1 })
        assert.deepEqual(yield* portfolios.update(organisationId, portfolio.id, { name }, { at: changedAt }), expected)
        assert.deepEqual(yield* currentPortfolio(portfolio), expected, "the answer is what is stored")
      }
      for (const changes of [{}, { name: expected.name }]) {
        const same = yield* portfolios.update(organisationId, portfolio.id, changes, { at: changedAgainAt })
        assert.deepEqual(same, expected, "a name that is stored already changes neither version nor updatedAt")
        assert.deepEqual(yield* currentPortfolio(portfolio), expected)
      }
      const counted = aPortfolio({ ...bystander, siteCount: 1, capacityKw: site.capacityKw })
      assert.deepEqual(yield* currentPortfolio(bystander), counted, "others stay as they were")
      assert.deepEqual(yield* currentSite(site), site, "so do the sites")
    })
  }),
  {
    name: "updates and deletes only an expected version",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId, { version: 3 })
      const { id } = portfolio
      const site = yield* insertSite(organisationId, { portfolioId: id })
      const stale = [[2, 4], []].map((expectedVersions) => ({ at: changedAt, expectedVersions }))
      for (const attempt of stale.flatMap((options) => [
        portfolios.update(organisationId, id, { name: "Stale" }, options),
        portfolios.update(organisationId, id, {}, options),
        portfolios.delete(organisationId, id, options)
      ])) {
        const { actual } = yield* refused<unknown, unknown, never, VersionMismatch>(attempt, VersionMismatch, "stale")
        assert.equal(actual, 3, "the refusal tells the version there is")
        const counted = aPortfolio({ ...portfolio, siteCount: 1, capacityKw: site.capacityKw })
        assert.deepEqual(yield* currentPortfolio(portfolio), counted, "a refused change changes nothing")
        assert.deepEqual(yield* currentSite(site), site, "a refused change changes no site")
      }
      const fresh = { at: changedAt, expectedVersions: [1, 3] }
      const { version } = yield* portfolios.update(organisationId, id, { name: "Fresh" }, fresh)
      assert.equal(version, 4, "one of the expected versions is enough")
      yield* portfolios.delete(organisationId, id, { at: changedAt, expectedVersions: [4] })
      assert.equal(yield* currentPortfolio(portfolio), null)
    })
  }
]
