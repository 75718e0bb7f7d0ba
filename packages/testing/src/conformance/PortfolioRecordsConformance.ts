/**
 * Lists and totals of portfolios, in the own organisation alone.
 */

import { PortfolioNotFound } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anOrganisationId, aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expectPages, refused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentPortfolio,
  currentSite,
  hostileTexts,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts,
  secondsBefore
} from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const nothing = { items: [], hasMore: false }

export const portfolioRecordsCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  ...inBothZones({
    name: "finds inserted portfolios unchanged",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const names = ["Plain", "Plain", ...hostileTexts, "𝔸".repeat(200)]
      const inserted = names.map((name) =>
        aPortfolio({ organisationId, name, createdAt: changedAt, updatedAt: changedAgainAt })
      )
      yield* portfolios.insertMany(organisationId, inserted)
      for (const portfolio of inserted) {
        assert.deepEqual(yield* portfolios.findById(organisationId, portfolio.id), Option.some(portfolio))
      }
      const listed = yield* portfolios.list(organisationId, {}, { after: null, limit: 100 })
      assert.deepEqual(listed, { items: inserted, hasMore: false })
    })
  }),
  {
    name: "hides a portfolio from every other organisation",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const owner = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(owner)
      const { id } = portfolio
      const site = yield* insertSite(owner, { portfolioId: id })
      const counted = aPortfolio({ ...portfolio, siteCount: 1, capacityKw: site.capacityKw })
      const withSite = yield* insertOrganisation()
      const own = yield* insertSite(withSite)
      for (const stranger of [yield* insertOrganisation(), withSite, anOrganisationId()]) {
        assert.deepEqual(yield* portfolios.findById(stranger, id), Option.none(), "findById")
        assert.deepEqual(yield* portfolios.list(stranger, {}, { after: null, limit: 10 }), nothing, "list")
        assert.deepEqual(
          yield* portfolios.listWithSites(stranger, { after: null, limit: 10 }),
          nothing,
          "listWithSites"
        )
        const options = { at: changedAt }
        for (const [method, attempt] of [
          ["delete", portfolios.delete(stranger, id, options)],
          ["addSites", portfolios.addSites(stranger, id, [own.id], options)],
          ["removeSites", portfolios.removeSites(stranger, id, [site.id], options)]
        ] as const) {
          yield* refused<unknown, unknown, never, PortfolioNotFound>(attempt, PortfolioNotFound, method)
          assert.deepEqual(yield* currentPortfolio(portfolio), counted, `a stranger's ${method} changes nothing`)
          assert.deepEqual(yield* currentSite(site), site, `a stranger's ${method} changes no site`)
          assert.deepEqual(yield* currentSite(own), own, `nor one of the stranger's`)
        }
      }
    })
  },
  {
    name: "lists in ascending order of id, in pages of any size",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const inOrder = Array.from({ length: 6 }, (_, index) =>
        aPortfolio({ organisationId, name: `No. ${9 - index}`, createdAt: secondsBefore(index) })
      )
      yield* portfolios.insertMany(
        organisationId,
        [3, 0, 5, 1, 4, 2].flatMap((index) => inOrder[index] ?? [])
      )
      yield* insertPortfolio(yield* insertOrganisation())
      yield* expectPages((page) => portfolios.list(organisationId, {}, page), inOrder)
    })
  },
  {
    name: "computes siteCount and the exact capacityKw over mixed units, wherever a portfolio is read",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const other = yield* insertPortfolio(organisationId)
      for (const [capacity, unit] of [
        [0.1, "kW"],
        [0.2, "kWp"],
        [0.07, "MW"],
        [250, "W"],
        [1, "GWp"]
      ] as const) {
        yield* insertSite(organisationId, { capacity, unit, portfolioId: portfolio.id })
      }
      yield* insertSite(organisationId, { capacity: 5, portfolioId: other.id })
      yield* insertSite(organisationId)
      const expected = aPortfolio({ ...portfolio, siteCount: 5, capacityKw: 1_000_070.55 })
      const expectedOther = aPortfolio({ ...other, siteCount: 1, capacityKw: 5 })
      assert.deepEqual(yield* currentPortfolio(portfolio), expected, "findById")
      const { items } = yield* portfolios.list(organisationId, {}, { after: null, limit: 10 })
      assert.deepEqual(items, [expected, expectedOther], "list")
      const slices = yield* portfolios.listWithSites(organisationId, { after: null, limit: 2 })
      assert.deepEqual(slices.items[0]?.portfolio, expected, "listWithSites counts all sites, not those of the slice")
      const same = yield* portfolios.update(organisationId, portfolio.id, {}, { at: changedAt })
      assert.deepEqual(same, expected, "an update of nothing")
      const renamed = yield* portfolios.update(organisationId, other.id, { name: "Renamed" }, { at: changedAt })
      assert.deepEqual([renamed.siteCount, renamed.capacityKw], [1, 5], "an update")
    })
  },
  {
    name: "sums capacities as decimals",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const total = Effect.map(currentPortfolio(portfolio), (now) => now?.capacityKw)
      assert.equal(yield* total, 0, "an empty portfolio")
      for (const [capacity, unit, sum] of [
        [0.1, "kW", 0.1],
        [0.2, "kW", 0.3],
        [1e9, "GW", 1e15 + 0.3],
        [123_456.789_012_345, "W", 1e15 + 123.756_789_012_345]
      ] as const) {
        yield* sites.insert(organisationId, aSite({ organisationId, capacity, unit, portfolioId: portfolio.id }))
        assert.equal(yield* total, sum, `after ${capacity} ${unit}`)
      }
    })
  }
]
