/**
 * What a `SiteRepository` must do with whole sites: store, find, list, delete.
 */
import {
  OrganisationNotFound,
  PortfolioNotFound,
  type SiteId,
  SiteNotFound,
  SiteRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anOrganisationId, aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { pagesThrough, refused } from "./Expectations.ts"
import {
  later,
  oneEarlier,
  type RecordPorts,
  siteNow,
  storedOrganisation,
  storedPortfolio,
  storedSite,
  storedSites
} from "./Setup.ts"

const everything = { after: null, limit: 100 }
const nothing = { items: [], hasMore: false }

export const siteRecordsCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "finds an inserted site unchanged",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const { id: portfolioId } = yield* storedPortfolio(organisationId)
      const inserted = [aSite({ organisationId }), aSite({ organisationId, portfolioId, version: 7, updatedAt: later })]
      for (const site of inserted) yield* sites.insert(organisationId, site)
      for (const site of inserted) {
        assert.deepEqual(yield* sites.findById(organisationId, site.id), Option.some(site))
      }
    })
  },
  {
    name: "finds, lists, updates and deletes nothing where there is nothing",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const { id } = aSite()
      for (const organisationId of [yield* storedOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* sites.findById(organisationId, id), Option.none())
        assert.deepEqual(yield* sites.list(organisationId, {}, everything), nothing)
        const refusals = [
          yield* refused(sites.update(organisationId, id, { siteName: "X" }, { at: later }), SiteNotFound, "an update"),
          yield* refused(sites.delete(organisationId, id), SiteNotFound, "a delete")
        ]
        for (const { siteIds } of refusals) assert.deepEqual(siteIds, [id], "the refusal names the site")
      }
    })
  },
  {
    name: "refuses a site of an organisation that does not exist",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const site = aSite()
      const insert = sites.insert(site.organisationId, site)
      const { organisationId } = yield* refused(insert, OrganisationNotFound, "an insert for nobody")
      assert.equal(organisationId, site.organisationId, "the refusal names the organisation")
      assert.equal(yield* siteNow(site), null, "a refused insert stores nothing")
    })
  },
  {
    name: "refuses a site in a portfolio that the organisation does not have",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const absent = aPortfolio().id
      const foreign = (yield* storedPortfolio(yield* storedOrganisation())).id
      for (const portfolioId of [absent, foreign]) {
        const site = aSite({ organisationId, portfolioId })
        const refusal = yield* refused(sites.insert(organisationId, site), PortfolioNotFound, "an insert into nothing")
        assert.equal(refusal.portfolioId, portfolioId, "the refusal names the portfolio")
        assert.equal(yield* siteNow(site), null, "a refused insert stores nothing")
      }
    })
  },
  {
    name: "hides a site from every other organisation",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const owner = yield* storedOrganisation()
      const { id: portfolioId } = yield* storedPortfolio(owner)
      const site = yield* storedSite(owner, { portfolioId })
      for (const stranger of [yield* storedOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* sites.findById(stranger, site.id), Option.none(), "findById")
        for (const conditions of [{}, { siteId: site.id }, { portfolioId }, { siteId: site.id, portfolioId }]) {
          assert.deepEqual(yield* sites.list(stranger, conditions, everything), nothing, "list")
        }
        yield* refused(sites.update(stranger, site.id, { siteName: "Mine" }, { at: later }), SiteNotFound, "update")
        yield* refused(sites.update(stranger, site.id, {}, { at: later }), SiteNotFound, "update with nothing")
        yield* refused(sites.delete(stranger, site.id), SiteNotFound, "delete")
        assert.deepEqual(yield* siteNow(site), site, "what a stranger tries changes nothing")
      }
    })
  },
  {
    name: "lists in ascending order of id, in pages of any size",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const inOrder = Array.from({ length: 6 }, (_, index) =>
        aSite({ organisationId, siteName: `Site ${9 - index}`, createdAt: oneEarlier(index) })
      )
      for (const index of [3, 0, 5, 1, 4, 2]) {
        const site = inOrder[index]
        if (site !== undefined) yield* sites.insert(organisationId, site)
      }
      yield* storedSites(yield* storedOrganisation(), 2)
      yield* pagesThrough((page) => sites.list(organisationId, {}, page), inOrder)
    })
  },
  {
    name: "lists the sites for which both conditions hold",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const { id: portfolioId } = yield* storedPortfolio(organisationId)
      const { id: otherId } = yield* storedPortfolio(organisationId)
      const members = [
        yield* storedSite(organisationId, { portfolioId }),
        yield* storedSite(organisationId, { portfolioId: otherId }),
        yield* storedSite(organisationId),
        yield* storedSite(organisationId, { portfolioId }),
        yield* storedSite(organisationId, { portfolioId })
      ] as const
      const [first, other, alone, second, third] = members
      yield* pagesThrough((page) => sites.list(organisationId, { portfolioId }, page), [first, second, third])
      const found = (siteId: SiteId, portfolio?: typeof portfolioId) =>
        sites.list(
          organisationId,
          portfolio === undefined ? { siteId } : { siteId, portfolioId: portfolio },
          everything
        )
      assert.deepEqual(yield* found(alone.id), { items: [alone], hasMore: false }, "by site")
      assert.deepEqual(yield* found(first.id, portfolioId), { items: [first], hasMore: false }, "both hold")
      assert.deepEqual(yield* found(other.id, portfolioId), nothing, "a site of another portfolio")
      assert.deepEqual(yield* found(alone.id, portfolioId), nothing, "a site of no portfolio")
      assert.deepEqual(yield* found(aSite().id), nothing, "an unknown site")
      assert.deepEqual(yield* found(first.id, aPortfolio().id), nothing, "an unknown portfolio")
    })
  },
  {
    name: "deletes one site, once",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const [site, bystander] = [yield* storedSite(organisationId), yield* storedSite(organisationId)]
      yield* sites.delete(organisationId, site.id)
      assert.equal(yield* siteNow(site), null)
      assert.deepEqual(yield* sites.list(organisationId, {}, everything), { items: [bystander], hasMore: false })
      yield* refused(sites.delete(organisationId, site.id), SiteNotFound, "a second delete")
      assert.deepEqual(yield* siteNow(bystander), bystander, "others stay as they were")
    })
  },
  {
    name: "deletes only an expected version",
    check: Effect.gen(function* () {
      const sites = yield* SiteRepository
      const organisationId = yield* storedOrganisation()
      const site = yield* storedSite(organisationId, { version: 3 })
      for (const expected of [[2, 4], []]) {
        const promise = `a delete with the expected versions ${JSON.stringify(expected)}`
        const stale = yield* refused(sites.delete(organisationId, site.id, expected), VersionMismatch, promise)
        assert.equal(stale.actual, 3, "the refusal tells the version there is")
        assert.deepEqual(yield* siteNow(site), site, "a refused delete changes nothing")
      }
      yield* refused(sites.delete(organisationId, aSite().id, [1]), SiteNotFound, "absence comes before versions")
      yield* sites.delete(organisationId, site.id, [1, 3])
      assert.equal(yield* siteNow(site), null, "one of the expected versions is enough")
    })
  }
]
