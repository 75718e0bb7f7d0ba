/**
 * Lists and deletion of sites in a `SiteRepository`.
 */

import { SiteNotFound, VersionMismatch } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { anOrganisationId, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expectPages, refused } from "./Expectations.ts"
import { siteMethods } from "./Methods.ts"
import {
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  insertSites,
  type RecordPorts,
  secondsBefore
} from "./Setup.ts"

const everything = { after: null, limit: 100 }
const nothing = { items: [], hasMore: false }

export const siteRecordsCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "hides a site from every other organisation",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const owner = yield* insertOrganisation()
      const { id: portfolioId } = yield* insertPortfolio(owner)
      const site = yield* insertSite(owner, { portfolioId })
      for (const stranger of [yield* insertOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* sites.findById(stranger, site.id), Option.none(), "findById")
        for (const conditions of [{}, { siteId: site.id }, { portfolioId }, { siteId: site.id, portfolioId }]) {
          assert.deepEqual(yield* sites.list(stranger, conditions, everything), nothing, "list")
        }
        yield* refused(sites.delete(stranger, site.id), SiteNotFound, "delete")
        assert.deepEqual(yield* currentSite(site), site, "what a stranger tries changes nothing")
      }
    })
  },
  {
    name: "lists in ascending order of id, in pages of any size",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const inOrder = Array.from({ length: 6 }, (_, index) =>
        aSite({ organisationId, siteName: `Site ${9 - index}`, createdAt: secondsBefore(index) })
      )
      for (const index of [3, 0, 5, 1, 4, 2]) {
        const site = inOrder[index]
        if (site !== undefined) yield* sites.insert(organisationId, site)
      }
      yield* insertSites(yield* insertOrganisation(), 2)
      yield* expectPages((page) => sites.list(organisationId, {}, page), inOrder)
    })
  },
  {
    name: "deletes one site, once",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const [site, bystander] = [yield* insertSite(organisationId), yield* insertSite(organisationId)]
      yield* sites.delete(organisationId, site.id)
      assert.equal(yield* currentSite(site), null)
      assert.deepEqual(yield* sites.list(organisationId, {}, everything), { items: [bystander], hasMore: false })
      yield* refused(sites.delete(organisationId, site.id), SiteNotFound, "a second delete")
      assert.deepEqual(yield* currentSite(bystander), bystander, "others stay as they were")
    })
  },
  {
    name: "deletes only an expected version",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const site = yield* insertSite(organisationId, { version: 3 })
      for (const expected of [[2, 4], []]) {
        const promise = `a delete with the expected versions ${JSON.stringify(expected)}`
        const stale = yield* refused(sites.delete(organisationId, site.id, expected), VersionMismatch, promise)
        assert.equal(stale.actual, 3, "the refusal tells the version there is")
        assert.deepEqual(yield* currentSite(site), site, "a refused delete changes nothing")
      }
      yield* refused(sites.delete(organisationId, aSite().id, [1]), SiteNotFound, "absence comes before versions")
      yield* sites.delete(organisationId, site.id, [1, 3])
      assert.equal(yield* currentSite(site), null, "one of the expected versions is enough")
    })
  }
]
