/**
 * External ids of sites are unique per organisation.
 */

import {
  ExternalIdTaken,
  PortfolioNotFound,
  type Site,
  type SiteChanges,
  type SiteId,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Result } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { refused, repeatedly } from "../../src/conformance/Expectations.ts"
import { siteMethods } from "../../src/conformance/Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  type RecordPorts
} from "../../src/conformance/Setup.ts"
import { aPortfolio, aSite } from "../../src/fixtures.ts"

const atOnce = { concurrency: "unbounded" } as const

const update = Effect.fnUntraced(function* (site: Site, changes: SiteChanges) {
  return yield* (yield* siteMethods).update(site.organisationId, site.id, changes, { at: changedAt })
})

const taken = Effect.fnUntraced(function* <R>(attempt: Effect.Effect<unknown, unknown, R>, owner: Site) {
  const { conflicts } = yield* refused(attempt, ExternalIdTaken, "another site has the external id")
  const expected = [{ externalId: owner.externalId, takenBy: owner.id }]
  assert.deepEqual(conflicts, expected, "the refusal names the external id and its site")
})

/** Results of concurrent attempts at one external id: one succeeds, the others name its site. */
const oneWinner = (results: ReadonlyArray<Result.Result<Site, unknown>>, externalId: string): Site => {
  const winners = results.filter(Result.isSuccess).map(({ success }) => success)
  const [winner] = winners
  assert.equal(winners.length, 1, "one attempt wins")
  assert.ok(winner)
  for (const { failure } of results.filter(Result.isFailure)) {
    assert.ok(failure instanceof ExternalIdTaken, `the others are refused, not ${failure}`)
    assert.deepEqual(failure.conflicts, [{ externalId, takenBy: winner.id }], "the refusal names the winner")
  }
  return winner
}

const storedIds = Effect.fnUntraced(function* (organisationId: Site["organisationId"]) {
  const { items } = yield* (yield* siteMethods).list(organisationId, {}, { after: null, limit: 100 })
  return new Map(items.map(({ externalId, id }): [SiteId, string | null] => [id, externalId]))
})

export const siteExternalIdCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "refuses an external id that another site of the organisation has, and names that site",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const owner = yield* insertSite(organisationId, { externalId: "A-1" })
      const other = yield* insertSite(organisationId, { externalId: "A-2" })
      const fresh = aSite({ organisationId, externalId: "A-1" })
      yield* taken(sites.insert(organisationId, fresh), owner)
      const { id } = yield* insertSite(yield* insertOrganisation())
      yield* taken(sites.insert(organisationId, aSite({ id, organisationId, externalId: "A-1" })), owner)
      yield* taken(update(other, { siteName: "Never", externalId: "A-1" }), owner)
      assert.equal(yield* currentSite(fresh), null, "a refused insert stores nothing")
      for (const site of [owner, other]) {
        assert.deepEqual(yield* currentSite(site), site, "a refused update changes nothing")
        assert.deepEqual(yield* update(site, { externalId: site.externalId }), site, "a site keeps its own external id")
      }
    })
  },
  {
    name: "tells external ids apart by letter case and white space, and allows any number of sites without one",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      for (const externalId of ["a", "A", " a", "a ", "á", null, null]) {
        const site = yield* insertSite(organisationId, { externalId })
        assert.deepEqual(yield* currentSite(site), site, `${externalId} is free`)
      }
    })
  },
  {
    name: "tells external ids apart by organisation, and from those of portfolios",
    check: Effect.gen(function* () {
      const organisationIds = [yield* insertOrganisation(), yield* insertOrganisation()] as const
      for (const organisationId of organisationIds) {
        yield* insertPortfolio(organisationId, { externalId: "A-1" })
        const inserted = yield* insertSite(organisationId, { externalId: "A-1" })
        assert.deepEqual(yield* currentSite(inserted), inserted, "the other organisation's is another one")
        const updated = yield* update(yield* insertSite(organisationId), { externalId: "A-2" })
        assert.equal(updated.externalId, "A-2")
      }
    })
  },
  {
    name: "frees an external id when its site gives it up or is deleted",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const first = yield* insertSite(organisationId, { externalId: "A-1" })
      yield* update(first, { externalId: null })
      const second = yield* insertSite(organisationId, { externalId: "A-1" })
      yield* update(second, { externalId: "A-2" })
      const third = yield* update(first, { externalId: "A-1" })
      assert.equal(third.externalId, "A-1")
      yield* sites.delete(organisationId, second.id)
      const last = yield* insertSite(organisationId, { externalId: "A-2" })
      assert.deepEqual(yield* currentSite(last), last)
    })
  },
  {
    name: "returns a stored site that is inserted again, with any external id",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const owner = yield* insertSite(organisationId, { externalId: "A-1" })
      const site = yield* insertSite(organisationId, { externalId: "A-2" })
      for (const externalId of ["A-2", "A-1", "A-3", null]) {
        const again = yield* sites.insert(organisationId, aSite({ ...site, externalId }))
        assert.deepEqual(again, site, "the answer is what is stored")
      }
      assert.deepEqual(
        yield* storedIds(organisationId),
        new Map([
          [owner.id, "A-1"],
          [site.id, "A-2"]
        ])
      )
    })
  },
  {
    name: "refuses an absent portfolio and a stale version before a taken external id",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      yield* insertSite(organisationId, { externalId: "A-1" })
      const site = yield* insertSite(organisationId)
      const nowhere = { externalId: "A-1", portfolioId: aPortfolio().id }
      const insert = sites.insert(organisationId, aSite({ ...nowhere, organisationId }))
      yield* refused(insert, PortfolioNotFound, "an insert into no portfolio")
      const foreign = yield* insertPortfolio(yield* insertOrganisation())
      const abroad = aSite({ organisationId, externalId: "A-1", portfolioId: foreign.id })
      yield* refused(sites.insert(organisationId, abroad), PortfolioNotFound, "an insert into another organisation's")
      yield* refused(update(site, nowhere), PortfolioNotFound, "a move into no portfolio")
      const stale = { at: changedAgainAt, expectedVersions: [9] }
      const late = sites.update(organisationId, site.id, { externalId: "A-1" }, stale)
      yield* refused(late, VersionMismatch, "the version is stale")
    })
  },
  {
    name: "takes attributes with the same values for equal in any order",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const site = yield* insertSite(organisationId, { attributes: { a: 1, b: "x" }, tags: ["a", "b"] })
      assert.deepEqual(yield* update(site, { attributes: { b: "x", a: 1 } }), site, "nothing changes")
      for (const changes of [{ attributes: { a: 1 } }, { tags: ["b", "a"] }, { attributes: {} }, { tags: [] }]) {
        const before = (yield* currentSite(site)) ?? site
        const after = aSite({ ...before, ...changes, updatedAt: changedAt, version: before.version + 1 })
        assert.deepEqual(yield* update(site, changes), after, `${JSON.stringify(changes)} replaces the whole`)
      }
    })
  },
  {
    name: "gives an external id to one of several concurrent inserts, in any portfolio",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const { id: portfolioId } = yield* insertPortfolio(organisationId)
        const attempts = Array.from({ length: 8 }, (_, index) =>
          aSite({ organisationId, externalId: "A-1", portfolioId: index % 2 === 0 ? portfolioId : null })
        )
        const others = attempts.map((_, index) => aSite({ organisationId, externalId: `B-${index}` }))
        const [results] = yield* Effect.all(
          [
            Effect.forEach(attempts, (site) => Effect.result(sites.insert(organisationId, site)), atOnce),
            Effect.forEach(others, (site) => sites.insert(organisationId, site), atOnce)
          ],
          atOnce
        )
        const winner = oneWinner(results, "A-1")
        const expected = [winner, ...others].map(({ externalId, id }): [SiteId, string | null] => [id, externalId])
        const stored = [...(yield* storedIds(organisationId))].sort()
        assert.deepEqual(stored, expected.sort(), "a refused insert takes no other one with it")
      })
    )
  },
  {
    name: "gives an external id to one of several concurrent updates and inserts",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const there = yield* Effect.forEach([1, 2, 3, 4], () => insertSite(organisationId))
        const attempts = there.flatMap((site) => [
          Effect.result(update(site, { externalId: "A-1" })),
          Effect.result(sites.insert(organisationId, aSite({ organisationId, externalId: "A-1" })))
        ])
        const results: ReadonlyArray<Result.Result<Site, unknown>> = yield* Effect.all(attempts, atOnce)
        const winner = oneWinner(results, "A-1")
        const owners = [...(yield* storedIds(organisationId))].filter(([, externalId]) => externalId === "A-1")
        assert.deepEqual(owners, [[winner.id, "A-1"]], "one site has it")
      })
    )
  },
  {
    name: "lets concurrent inserts of the same external ids in opposite orders succeed or be refused",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* siteMethods
        const organisationId = yield* insertOrganisation()
        const { id: portfolioId } = yield* insertPortfolio(organisationId)
        const externalIds = Array.from({ length: 10 }, (_, index) => `A-${index}`)
        const insert = (externalId: string, portfolio: typeof portfolioId | null) =>
          Effect.result(sites.insert(organisationId, aSite({ organisationId, externalId, portfolioId: portfolio })))
        const [up, down] = yield* Effect.all(
          [
            Effect.forEach(externalIds, (externalId) => insert(externalId, portfolioId), atOnce),
            Effect.forEach(externalIds.toReversed(), (externalId) => insert(externalId, null), atOnce)
          ],
          atOnce
        )
        for (const [index, externalId] of externalIds.entries()) {
          const results = [up.at(index), down.at(-1 - index)].filter((result) => result !== undefined)
          oneWinner(results, externalId)
        }
      })
    )
  }
]
