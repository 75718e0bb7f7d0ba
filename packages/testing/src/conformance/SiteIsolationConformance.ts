/**
 * Isolation in a `SiteRepository`: two organisations have sites and portfolios with the same ids.
 */

import { SiteId, SiteNotFound, VersionMismatch } from "@solar-sites/core"
import { Effect, Option } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expectPages, refused } from "./Expectations.ts"
import { siteMethods } from "./Methods.ts"
import { changedAt, currentSite, type RecordPorts } from "./Setup.ts"
import { forEitherTwin } from "./TwinSetup.ts"

export const siteIsolationCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "reads an organisation's own sites where another one has the same ids",
    check: forEitherTwin(({ first, free, inFirst, moving, organisationId }) =>
      Effect.gen(function* () {
        const { findById, list } = yield* siteMethods
        const all = [inFirst, moving, free]
        for (const site of all) {
          assert.deepEqual(yield* findById(organisationId, site.id), Option.some(site), "findById")
          yield* expectPages((page) => list(organisationId, { siteId: site.id }, page), [site])
          const { portfolioId } = site
          if (portfolioId === null) continue
          yield* expectPages((page) => list(organisationId, { siteId: site.id, portfolioId }, page), [site])
        }
        yield* expectPages((page) => list(organisationId, {}, page), all)
        // The id of a portfolio, which sorts before those of all sites.
        const page = { after: SiteId.make(first.id), limit: 10 }
        for (const site of all) {
          const { id, portfolioId } = site
          const found = [
            yield* list(organisationId, { siteId: id }, page),
            ...(portfolioId === null ? [] : [yield* list(organisationId, { siteId: id, portfolioId }, page)])
          ]
          for (const { items } of found) assert.deepEqual(items, [site], "one site, after an earlier id")
        }
        const members = all.filter(({ portfolioId }) => portfolioId === first.id)
        yield* expectPages((page) => list(organisationId, { portfolioId: first.id }, page), members)
      })
    )
  },
  {
    name: "deletes an organisation's own site where another one has the same ids",
    check: forEitherTwin(({ inFirst, organisationId }, other) =>
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const stale = sites.delete(organisationId, inFirst.id, [other.inFirst.version])
        const { actual } = yield* refused(stale, VersionMismatch, "the version of the other site")
        assert.equal(actual, inFirst.version, "the refusal tells the version of the organisation's own site")
        assert.deepEqual(yield* currentSite(inFirst), inFirst, "a refused delete changes nothing")
        yield* sites.delete(organisationId, inFirst.id)
        assert.equal(yield* currentSite(inFirst), null, "its own site is gone")
        yield* refused(sites.delete(organisationId, inFirst.id), SiteNotFound, "a second delete")
        yield* refused(sites.update(organisationId, inFirst.id, {}, { at: changedAt }), SiteNotFound, "an update")
      })
    )
  }
]
