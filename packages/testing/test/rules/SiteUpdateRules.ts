/**
 * Updates of sites in a `SiteRepository`: single members, expected versions, no partial change.
 */

import { PortfolioNotFound, type Site, type SiteChanges, SiteNotFound, VersionMismatch } from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused } from "../../src/conformance/Expectations.ts"
import { siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { inBothZones } from "../../src/conformance/TimeZone.ts"
import { aPortfolio, aSite } from "../../src/fixtures.ts"

const filled = {
  siteName: "Filled",
  capacity: 2.5,
  unit: "MWp",
  address: "1 Sun Lane",
  latitude: 51.5,
  longitude: -0.12,
  siteManager: { name: "Ada", email: "ada@solar.example", phone: "1", company: "Sun", userId: "u1" },
  coverImageUrl: "https://images.example/a.jpg"
} satisfies SiteChanges

const changesTo = Effect.fnUntraced(function* (before: Site, changes: SiteChanges, capacityKw = before.capacityKw) {
  const sites = yield* siteMethods
  const updated = yield* sites.update(before.organisationId, before.id, changes, { at: changedAt })
  const expected = aSite({ ...before, ...changes, capacityKw, updatedAt: changedAt, version: before.version + 1 })
  const promise = `${JSON.stringify(changes)} sets these members, the version and updatedAt, and nothing else`
  assert.deepEqual(updated, expected, promise)
  assert.deepEqual(yield* currentSite(before), updated, "the answer is what is stored")
  return updated
})

const changesNothing = Effect.fnUntraced(function* (before: Site, changes: SiteChanges) {
  const sites = yield* siteMethods
  const updated = yield* sites.update(before.organisationId, before.id, changes, { at: changedAgainAt })
  assert.deepEqual(updated, before, `${JSON.stringify(changes)} is stored already, so version and updatedAt stay`)
  assert.deepEqual(yield* currentSite(before), before, "the answer is what is stored")
})

export const siteUpdateCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  ...inBothZones({
    name: "sets the given members and keeps the others",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const bystander = yield* insertSite(organisationId)
      let site = yield* insertSite(organisationId, { ...filled, portfolioId })
      for (const changes of [
        { siteName: "Renamed" },
        { address: "2 Sun Lane" },
        { latitude: -33.9 },
        { longitude: 18.4 },
        { siteManager: { ...filled.siteManager, phone: null } },
        { coverImageUrl: "https://images.example/b.jpg" },
        { siteName: "Again", address: "3 Sun Lane", latitude: 1, longitude: 2 }
      ]) {
        site = yield* changesTo(site, changes)
      }
      assert.deepEqual(yield* currentSite(bystander), bystander, "others stay as they were")
    })
  }),
  {
    name: "clears optional members with null, one by one and all at once",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const none = { address: null, latitude: null, longitude: null, siteManager: null, coverImageUrl: null }
      yield* changesTo(yield* insertSite(organisationId, { ...filled, portfolioId }), { ...none, portfolioId: null })
      let site = yield* insertSite(organisationId, { ...filled, portfolioId })
      for (const [member, value] of Object.entries({ ...none, portfolioId: null })) {
        site = yield* changesTo(site, { [member]: value })
      }
    })
  },
  {
    name: "changes nothing when the site has these values already",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const site = yield* insertSite(organisationId, { ...filled, portfolioId, version: 4 })
      const { company, email, name, phone, userId } = filled.siteManager
      yield* changesNothing(site, {})
      yield* changesNothing(site, { ...filled, portfolioId })
      for (const [member, value] of Object.entries(filled)) yield* changesNothing(site, { [member]: value })
      yield* changesNothing(site, { portfolioId })
      yield* changesNothing(site, { siteManager: { userId, phone, name, email, company } })
      const bare = yield* insertSite(organisationId)
      yield* changesNothing(bare, { address: null, portfolioId: null, siteManager: null, coverImageUrl: null })
      yield* changesNothing(bare, { latitude: null, longitude: null })
    })
  },
  {
    name: "keeps capacityKw right when capacity or unit changes alone",
    check: Effect.gen(function* () {
      const site = yield* insertSite(yield* insertOrganisation(), { capacity: 0.07, unit: "kW" })
      const inMegawatts = yield* changesTo(site, { unit: "MW" }, 70)
      const larger = yield* changesTo(inMegawatts, { capacity: 0.29 }, 290)
      const inWatts = yield* changesTo(larger, { capacity: 57_300.3, unit: "Wp" }, 57.3003)
      yield* changesTo(inWatts, { siteName: "Renamed" })
    })
  },
  {
    name: "changes only an expected version",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const site = yield* insertSite(yield* insertOrganisation(), { version: 3 })
      for (const changes of [{ siteName: "Stale" }, {}, { siteName: site.siteName }]) {
        for (const expectedVersions of [[2, 4], []]) {
          const update = sites.update(site.organisationId, site.id, changes, { at: changedAt, expectedVersions })
          const promise = `expected versions ${JSON.stringify(expectedVersions)}, even of an update of nothing`
          const { actual } = yield* refused(update, VersionMismatch, promise)
          assert.equal(actual, 3, "the refusal tells the version there is")
          assert.deepEqual(yield* currentSite(site), site, "a refused update changes nothing")
        }
      }
      const options = { at: changedAt, expectedVersions: [1, 3] }
      const updated = yield* sites.update(site.organisationId, site.id, { siteName: "Fresh" }, options)
      assert.equal(updated.version, 4, "one of the expected versions is enough")
    })
  },
  {
    name: "refuses an absent site before an absent portfolio, and that before a stale version",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(organisationId)
      const site = yield* insertSite(organisationId, { portfolioId })
      const changes = { siteName: "Never", portfolioId: aPortfolio().id }
      const options = { at: changedAt, expectedVersions: [9] }
      yield* refused(sites.update(organisationId, aSite().id, changes, options), SiteNotFound, "the site is absent")
      yield* refused(
        sites.update(organisationId, site.id, changes, options),
        PortfolioNotFound,
        "the portfolio is absent"
      )
      const stale = sites.update(organisationId, site.id, { ...changes, portfolioId }, options)
      yield* refused(stale, VersionMismatch, "the version is stale")
      assert.deepEqual(yield* currentSite(site), site, "a refused update changes nothing")
    })
  },
  {
    name: "moves a site into a portfolio, on to another one and out again",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const portfolios = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)] as const
      let site = yield* insertSite(organisationId)
      for (const [portfolioId, counts] of [
        [portfolios[0].id, [1, 0]],
        [portfolios[1].id, [0, 1]],
        [null, [0, 0]]
      ] as const) {
        site = yield* changesTo(site, { portfolioId })
        const now = yield* Effect.forEach(portfolios, currentPortfolio)
        assert.deepEqual(
          now.map((portfolio) => portfolio?.siteCount),
          counts,
          "a site counts where it is, and nowhere else"
        )
      }
    })
  },
  {
    name: "refuses to move a site into a portfolio that the organisation does not have",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const { id: home } = yield* insertPortfolio(organisationId)
      const foreign = yield* insertPortfolio(yield* insertOrganisation())
      const site = yield* insertSite(organisationId, { portfolioId: home })
      for (const portfolioId of [aPortfolio().id, foreign.id]) {
        const move = sites.update(organisationId, site.id, { siteName: "Moved", portfolioId }, { at: changedAt })
        const refusal = yield* refused(move, PortfolioNotFound, "a move into nothing")
        assert.equal(refusal.portfolioId, portfolioId, "the refusal names the portfolio")
        assert.deepEqual(yield* currentSite(site), site, "a refused move changes nothing")
      }
      assert.deepEqual(yield* currentPortfolio(foreign), foreign, "the other organisation's portfolio stays as it was")
    })
  }
]
