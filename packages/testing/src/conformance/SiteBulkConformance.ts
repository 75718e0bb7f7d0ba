/**
 * Bulk operations of a `SiteRepository`.
 */

import { OrganisationNotFound, type Site, SiteRepository, type SiteSave } from "@solar-sites/core"
import { Effect } from "effect"
import { anOrganisationId, aPortfolio, aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { refused } from "./Expectations.ts"
import { siteMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  currentPortfolio,
  currentSite,
  insertOrganisation,
  insertPortfolio,
  insertSite,
  originIn,
  type RecordPorts
} from "./Setup.ts"

type OrganisationId = Site["organisationId"]

export const saveSites = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  saves: ReadonlyArray<SiteSave>,
  dryRun: boolean = false
) {
  return yield* (yield* siteMethods).saveMany(organisationId, saves, { at: changedAt, dryRun })
})

export const storedSites = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  return (yield* (yield* siteMethods).list(organisationId, {}, { after: null, limit: 1_000 })).items
})

export const asNew = (site: Site): SiteSave => ({ site, changes: null })

/** A new site as `saveMany` stores it. */
export const newSite = (organisationId: OrganisationId, overrides: Partial<Site> = {}): Site =>
  aSite({ organisationId, createdAt: changedAt, updatedAt: changedAt, ...overrides })

/** Saves that create, update and change nothing, with the results that they have. */
const mixed = Effect.fnUntraced(function* (organisationId: OrganisationId) {
  const { id: portfolioId } = yield* insertPortfolio(organisationId)
  const tags = ["a"]
  const there = yield* insertSite(organisationId, { externalId: "A", address: "1 Sun Lane", tags, unit: "kW" })
  const same = yield* insertSite(organisationId, { externalId: "B", attributes: { a: 1, b: "x" } })
  const next = newSite(organisationId, { externalId: "C", portfolioId, capacity: 0.07, unit: "MW", capacityKw: 70 })
  const nameless = newSite(organisationId, { tags: ["z", "a"], attributes: { b: true, a: null } })
  const changes = { externalId: "A", unit: "MW", address: null, portfolioId } as const
  const updated = aSite({ ...there, ...changes, capacityKw: 750_000, updatedAt: changedAt, version: 2 })
  const saves: ReadonlyArray<SiteSave> = [
    { site: next, changes: { externalId: "C", portfolioId } },
    { site: null, changes },
    asNew(nameless),
    { site: newSite(organisationId), changes: { externalId: "B", attributes: { b: "x", a: 1 } } }
  ]
  const expected = [
    { result: "created", site: next },
    { result: "updated", site: updated },
    { result: "created", site: nameless },
    { result: "unchanged", site: same }
  ]
  return { saves, expected, before: [there, same], after: [updated, same, next, nameless] }
})

export const siteBulkCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "creates and changes sites, and returns them in the order given",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { after, expected, saves } = yield* mixed(organisationId)
      assert.deepEqual(yield* saveSites(organisationId, saves), expected)
      assert.deepEqual(yield* storedSites(organisationId), after, "what is stored is what was returned")
    })
  },
  {
    name: "gives a dry run the same result, and changes nothing",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const { before, expected, saves } = yield* mixed(organisationId)
      assert.deepEqual(yield* saveSites(organisationId, saves, true), expected, "the result of a dry run")
      assert.deepEqual(yield* storedSites(organisationId), before, "a dry run leaves everything as it was")
      assert.deepEqual(yield* saveSites(organisationId, saves), expected, "the result afterwards")
      for (const dryRun of [true, false]) {
        const nowhere = anOrganisationId()
        const attempt = saveSites(nowhere, [asNew(newSite(nowhere))], dryRun)
        yield* refused(attempt, OrganisationNotFound, "an organisation that does not exist")
      }
    })
  },
  {
    name: "answers all that stands against saves, in their order, and stores none of them",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const owners = yield* Effect.forEach(["A", "B", "E"], (externalId) => insertSite(organisationId, { externalId }))
      const { id: foreign } = yield* insertPortfolio(yield* insertOrganisation())
      const { id: absent } = aPortfolio()
      const saves: ReadonlyArray<SiteSave> = [
        asNew(newSite(organisationId)),
        asNew(newSite(organisationId, { externalId: "B" })),
        asNew(newSite(organisationId, { externalId: "A" })),
        asNew(newSite(organisationId, { portfolioId: absent })),
        { site: null, changes: { externalId: "E", portfolioId: foreign } },
        { site: null, changes: { externalId: "C" } },
        { site: null, changes: { externalId: "D" } }
      ]
      for (const dryRun of [true, false]) {
        const options = { at: changedAt, dryRun, origin: yield* originIn(organisationId) }
        const found = yield* SiteRepository.use(({ saveMany }) => saveMany(organisationId, saves, options))
        assert.deepEqual(found, {
          organisationFound: true,
          incomplete: [5, 6],
          missing: [absent, foreign],
          taken: [owners[1], owners[0]].map((owner) => ({ externalId: owner?.externalId, takenBy: owner?.id })),
          areTooLarge: false,
          saved: []
        })
        assert.deepEqual(yield* storedSites(organisationId), owners, "the stored sites")
      }
    })
  },
  {
    name: "matches no site of another organisation",
    check: Effect.gen(function* () {
      const theirs = yield* insertSite(yield* insertOrganisation(), { externalId: "A" })
      const organisationId = yield* insertOrganisation()
      const own = newSite(organisationId, { externalId: "A", siteName: "Own" })
      const saves = [{ site: own, changes: { externalId: "A", siteName: "Own" } }]
      assert.deepEqual(yield* saveSites(organisationId, saves), [{ result: "created", site: own }])
      const again = yield* saveSites(organisationId, [asNew(newSite(organisationId, { id: theirs.id }))])
      assert.deepEqual(
        again.map(({ result }) => result),
        ["created"],
        "an id of theirs is another one"
      )
      assert.deepEqual(yield* currentSite(theirs), theirs, "the other organisation's stays as it was")
    })
  },
  {
    name: "returns sites that are saved again under their ids, as they are now",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const first = [newSite(organisationId, { externalId: "A" }), newSite(organisationId)] as const
      yield* saveSites(organisationId, first.map(asNew))
      const options = { at: changedAgainAt }
      const changed = yield* sites.update(
        organisationId,
        first[0].id,
        { siteName: "Changed", externalId: "B" },
        options
      )
      const upsert: SiteSave = { site: first[0], changes: { externalId: "A", siteName: "Again" } }
      for (const saves of [first.map(asNew), [upsert, asNew(first[1])]]) {
        const expected = [changed, first[1]].map((site) => ({ result: "created", site }))
        assert.deepEqual(yield* saveSites(organisationId, saves), expected, "an earlier attempt has created them")
      }
      assert.deepEqual(yield* storedSites(organisationId), [changed, first[1]])
    })
  },
  {
    name: "saves a thousand sites in as many portfolios as given",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const portfolios = [yield* insertPortfolio(organisationId), yield* insertPortfolio(organisationId)] as const
      const sites = Array.from({ length: 1_000 }, (_, index) =>
        newSite(organisationId, { externalId: `A-${index}`, portfolioId: portfolios[index % 2]?.id ?? null })
      )
      yield* saveSites(organisationId, sites.toReversed().map(asNew))
      const stored = yield* storedSites(organisationId)
      // The difference of a thousand sites from a hundred takes seconds to compute.
      assert.deepEqual(stored.length, sites.length, "all are stored")
      assert.deepEqual(stored, sites, "all are stored")
      const counts = yield* Effect.forEach(portfolios, currentPortfolio)
      assert.deepEqual(
        counts.map((portfolio) => portfolio?.siteCount),
        [500, 500]
      )
      const changes = sites.map(
        ({ externalId }): SiteSave => ({
          site: null,
          changes: { externalId: externalId ?? "", portfolioId: null }
        })
      )
      const results = yield* saveSites(organisationId, changes)
      assert.deepEqual([...new Set(results.map(({ result }) => result))], ["updated"])
    })
  }
]
