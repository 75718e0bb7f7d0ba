/**
 * Moves of sites in a `PortfolioRepository`: all or none, and each change increments a version.
 */
import {
  type Portfolio,
  PortfolioNotFound,
  type Site,
  SiteNotFound,
  SiteNotInPortfolio,
  VersionMismatch
} from "@solar-sites/core"
import { Effect } from "effect"
import { aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused } from "./Expectations.ts"
import { portfolioMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  insertSites,
  type RecordPorts
} from "./Setup.ts"

const idsOf = (sites: ReadonlyArray<Site>) => sites.map(({ id }) => id)

const unchanged = Effect.fnUntraced(function* (sites: ReadonlyArray<Site>, promise: string) {
  assert.deepEqual(yield* Effect.forEach(sites, currentSite), sites, promise)
})

const counts = Effect.fnUntraced(function* (portfolios: ReadonlyArray<Portfolio>, expected: ReadonlyArray<number>) {
  const now = yield* Effect.forEach(portfolios, currentPortfolio)
  const found = now.map((portfolio) => portfolio?.siteCount)
  assert.deepEqual(found, expected, "a site counts in the portfolio it is in, and nowhere else")
})

export const portfolioMembershipCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "moves sites in and answers them in the order asked for",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const [home, target] = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)]
      const free = yield* insertSites(organisationId, 2)
      const elsewhere = yield* insertSite(organisationId, { portfolioId: home.id, version: 5 })
      const inside = yield* insertSite(organisationId, { portfolioId: target.id })
      const bystander = yield* insertSite(organisationId, { portfolioId: home.id })
      const asked = [elsewhere, ...free.toReversed(), inside]
      const moved = yield* portfolios.addSites(organisationId, target.id, idsOf(asked), { at: changedAt })
      const expected = asked.map((site) =>
        site === inside
          ? site
          : aSite({ ...site, portfolioId: target.id, updatedAt: changedAt, version: site.version + 1 })
      )
      assert.deepEqual(moved, expected, "who is in already does not change, the others count the move")
      assert.deepEqual(yield* Effect.forEach(asked, currentSite), expected, "the answer is what is stored")
      yield* unchanged([bystander], "others stay as they were")
      yield* counts([home, target], [1, 4])

      const again = yield* portfolios.addSites(organisationId, target.id, idsOf(asked), { at: changedAgainAt })
      assert.deepEqual(again, expected, "repeating it changes nothing")
      yield* unchanged(expected, "repeating it changes nothing")
      const versions = yield* Effect.forEach([home, target], currentPortfolio)
      assert.deepEqual(
        versions.map((portfolio) => [portfolio?.version, portfolio?.updatedAt]),
        [home, target].map(({ updatedAt, version }) => [version, updatedAt]),
        "a portfolio's version counts its own changes, not the moves of sites"
      )
    })
  },
  {
    name: "moves no site in when one of them is missing or another organisation's",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const home = yield* insertPortfolio(organisationId)
      const target = yield* insertPortfolio(organisationId)
      const own = [yield* insertSite(organisationId), yield* insertSite(organisationId, { portfolioId: home.id })]
      const foreign = yield* insertSite(yield* insertOrganisation())
      const absent = aSite()
      for (const missing of [[absent], [foreign], [foreign, absent]]) {
        const asked = idsOf([...own.slice(0, 1), ...missing, ...own.slice(1)])
        const add = portfolios.addSites(organisationId, target.id, asked, { at: changedAt })
        const { siteIds } = yield* refused(add, SiteNotFound, "a site that the organisation does not have")
        assert.deepEqual([...siteIds].sort(), idsOf(missing).sort(), "the refusal names those that are missing")
        yield* unchanged([...own, foreign], "all are moved, or none")
      }
      yield* counts([home, target], [1, 0])
    })
  },
  {
    name: "removes sites and increments their versions",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const members = yield* insertSites(organisationId, 3, { portfolioId: portfolio.id, version: 2 })
      const [first, stays, last] = members
      const out = [last, first].flatMap((site) => site ?? [])
      yield* portfolios.removeSites(organisationId, portfolio.id, idsOf(out), { at: changedAt })
      const expected = out.map((site) => aSite({ ...site, portfolioId: null, updatedAt: changedAt, version: 3 }))
      yield* unchanged(expected, "a site that is taken out counts it as a change")
      yield* unchanged(stays === undefined ? [] : [stays], "the others stay as they were")
      const rest = aPortfolio({ ...portfolio, siteCount: 1, capacityKw: 750 })
      assert.deepEqual(yield* currentPortfolio(portfolio), rest, "the portfolio's own version does not count it")
    })
  },
  {
    name: "removes no site when one of them is not in the portfolio",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const other = yield* insertPortfolio(organisationId)
      const members = yield* insertSites(organisationId, 2, { portfolioId: portfolio.id })
      const elsewhere = yield* insertSite(organisationId, { portfolioId: other.id })
      const free = yield* insertSite(organisationId)
      const foreign = yield* insertSite(yield* insertOrganisation())
      for (const strangers of [[elsewhere], [free], [foreign], [aSite()], [free, elsewhere]]) {
        const asked = idsOf([...members.slice(0, 1), ...strangers, ...members.slice(1)])
        const remove = portfolios.removeSites(organisationId, portfolio.id, asked, { at: changedAt })
        const refusal = yield* refused(remove, SiteNotInPortfolio, "a site that is not in the portfolio")
        assert.equal(refusal.portfolioId, portfolio.id, "the refusal names the portfolio")
        assert.deepEqual([...refusal.siteIds].sort(), idsOf(strangers).sort(), "and the sites that are not in it")
        yield* unchanged([...members, elsewhere, free, foreign], "all are taken out, or none")
      }
    })
  },
  {
    name: "removes sites only from an expected version of the portfolio",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId, { version: 3 })
      const [first, second] = yield* insertSites(organisationId, 2, { portfolioId: portfolio.id })
      const free = yield* insertSite(organisationId)
      assert.ok(first !== undefined && second !== undefined)
      const remove = (site: Site, expectedVersions: ReadonlyArray<number>) =>
        portfolios.removeSites(organisationId, portfolio.id, [site.id], { at: changedAt, expectedVersions })
      for (const versions of [[], [1], [2, 4]]) {
        const refusal = yield* refused(remove(first, versions), VersionMismatch, "another version of the portfolio")
        assert.equal(refusal.actual, 3, "the refusal names the version that the portfolio has")
        yield* refused(remove(free, versions), SiteNotInPortfolio, "a site that is not there, in another version")
      }
      yield* unchanged([first, second], "a refused change changes nothing")
      yield* remove(first, [3])
      yield* remove(second, [1, 3])
      assert.deepEqual(
        yield* currentPortfolio(portfolio),
        portfolio,
        "the version stays, so that it can be expected again"
      )
    })
  },
  {
    name: "releases its sites when a portfolio is deleted, of an expected version alone",
    check: Effect.gen(function* () {
      const portfolios = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolio = yield* insertPortfolio(organisationId)
      const other = yield* insertPortfolio(organisationId)
      const members = yield* insertSites(organisationId, 2, { portfolioId: portfolio.id, version: 4 })
      const bystanders = [
        yield* insertSite(organisationId, { portfolioId: other.id }),
        yield* insertSite(organisationId)
      ]
      for (const expectedVersions of [[2, 4], []]) {
        const stale = portfolios.delete(organisationId, portfolio.id, { at: changedAt, expectedVersions })
        const { actual } = yield* refused(stale, VersionMismatch, "another version")
        assert.equal(actual, 1, "the refusal tells the version there is")
        yield* unchanged(members, "a refused delete changes no site")
      }
      yield* portfolios.delete(organisationId, portfolio.id, { at: changedAt, expectedVersions: [2, 1] })
      assert.equal(yield* currentPortfolio(portfolio), null)
      const released = members.map((site) => aSite({ ...site, portfolioId: null, updatedAt: changedAt, version: 5 }))
      yield* unchanged(released, "its sites stay, in no portfolio, and count it as a change")
      yield* unchanged(bystanders, "the sites of others do not change")
      const again = portfolios.delete(organisationId, portfolio.id, { at: changedAgainAt })
      yield* refused(again, PortfolioNotFound, "a second delete")
      yield* counts([other], [1])
    })
  }
]
