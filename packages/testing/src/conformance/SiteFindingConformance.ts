/**
 * Conditions, search and order of sites.
 */

import {
  CapacityUnit,
  ExternalId,
  type FoundSites,
  pageOfSites,
  type Site,
  type SiteConditions,
  siteSortKeys
} from "@solar-sites/core"
import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { makeChoices } from "./CoverageSetup.ts"
import { type AllConditions, aName, aQuery, aSearch, expectPagesOf, requestAfter } from "./FindingModel.ts"
import { siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, insertSite, type RecordPorts, secondsBefore } from "./Setup.ts"

const everything = { after: null, limit: 100 }

const names = [
  { name: "Große Freifläche Köln", found: ["grosse", "GROẞE", "freiflache koln", "KÖLN", "ko\u0308ln"] },
  {
    name: "IĞDIR İstanbul ısı",
    found: ["iğdır", "IGDIR", "istanbul", "İSTANBUL", "ISTANBUL", "ISI", "i\u0307stanbul"]
  },
  { name: "ΑΘΉΝΑΣ Φωτοβολταϊκό", found: ["Αθήνας", "αθηνας", "αθηνασ", "ΦΩΤΟΒΟΛΤΑΪΚΌ", "φωτοβολταικο"] },
  { name: "Điện mặt trời Nguyễn", found: ["dien mat troi", "ĐIỆN", "NGUYỄN", "nguye\u0302\u0303n", "nguyen"] },
  { name: "ŁÓDŹ Źródło", found: ["łódź", "lodz", "zrodlo", "ZRO\u0301DŁO"] },
  { name: "한국 태양광", found: ["한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8", "태양"] },
  { name: 'Crème 100%_\\ "{x,y}"', found: ["100%", "%_", "_\\", '"{x', "x,y}", "CREME"] }
]

const randomSites = Effect.fnUntraced(function* (seed: number) {
  const { list } = yield* siteMethods
  const choices = makeChoices(seed)
  const { below, of } = choices
  const organisationId = yield* insertOrganisation()
  const portfolios = [(yield* insertPortfolio(organisationId)).id, (yield* insertPortfolio(organisationId)).id] as const
  const sites: Array<Site> = []
  for (let count = 14; count > 0; count--) {
    sites.push(
      yield* insertSite(organisationId, {
        siteName: aName(choices),
        address: of(null, aName(choices)),
        externalId: of(null, ExternalId.make(`${aName(choices)} ${count}`)),
        tags: of([], ["roof"], ["leased", "roof"], ["Roof"]),
        capacity: of(1, 1_000, 0.30000000000000004, 123.456),
        unit: of(...CapacityUnit.literals),
        updatedAt: secondsBefore(below(4)),
        portfolioId: of(null, ...portfolios)
      })
    )
  }
  const unknown = aSite()
  for (let round = 0; round < 40; round++) {
    const one = of(unknown, ...sites)
    const all: AllConditions<SiteConditions> = {
      q: aSearch(choices),
      unit: of(...CapacityUnit.literals),
      updatedAfter: secondsBefore(below(4)),
      portfolioId: of(...portfolios),
      siteId: one.id,
      externalId: one.externalId ?? ExternalId.make("none"),
      tag: of(["roof"], ["roof", "leased"], ["ROOF"])
    }
    const query = aQuery(choices, round, all, ["createdAt", "updatedAt", "siteName", "capacityKw"])
    const isInNone = round >= 12 && round % 4 === 0
    const conditions: Omit<FoundSites, "health"> = isInNone
      ? { ...query.conditions, portfolioId: null }
      : query.conditions
    yield* expectPagesOf(
      (page) => list(organisationId, conditions, page),
      (page) => pageOfSites(sites, conditions, page, Number.POSITIVE_INFINITY),
      siteSortKeys,
      { ...query, conditions }
    )
  }
})

export const siteFindingCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "finds sites without regard to case and accents, whatever their normal form",
    check: Effect.gen(function* () {
      const { list } = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      for (const { name } of names) yield* insertSite(organisationId, { siteName: name })
      for (const { found, name } of names) {
        for (const q of [name, ...found]) {
          const { items } = yield* list(organisationId, { q }, everything)
          assert.deepEqual(
            items.map(({ siteName }) => siteName),
            [name],
            `search for ${q}`
          )
        }
      }
    })
  },
  {
    name: "finds sites in which every word occurs, each in any of the searched texts",
    check: Effect.gen(function* () {
      const { list } = yield* siteMethods
      const [organisationId, other] = [yield* insertOrganisation(), yield* insertOrganisation()]
      // As long as texts can be.
      const siteName = `North Field ${"𝔖".repeat(180)}`
      const address = `12 High Street\nLeeds ${"𝔖".repeat(470)}`
      const site = yield* insertSite(organisationId, { siteName, address })
      yield* insertSite(other, { siteName, address })
      const found = Effect.fnUntraced(function* (q: string) {
        const { items } = yield* list(organisationId, { q }, everything)
        return items.map(({ id }) => id)
      })
      for (const q of ["field", "LEEDS north", "orth  igh", "t l".replace(" ", "  "), "𝔖𝔖"]) {
        assert.deepEqual(yield* found(q), [site.id], q)
      }
      for (const q of ["north south", "fieldhigh", "high_street", "N%d", "leedsnorth"]) {
        assert.deepEqual(yield* found(q), [], q)
      }
    })
  },
  {
    name: "continues after a position whose site has changed or gone",
    check: Effect.gen(function* () {
      const sites = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const [a, b, c, d] = [
        yield* insertSite(organisationId, { siteName: "d" }),
        yield* insertSite(organisationId, { siteName: "C" }),
        yield* insertSite(organisationId, { siteName: "b" }),
        yield* insertSite(organisationId, { siteName: "A" })
      ]
      const sorting = { by: "siteName", order: "asc" } as const
      const after = (site: Site) =>
        Effect.map(sites.list(organisationId, {}, requestAfter(sorting, siteSortKeys, site, 10)), ({ items }) =>
          items.map(({ id }) => id)
        )
      yield* sites.delete(organisationId, c.id)
      assert.deepEqual(yield* after(c), [b.id, a.id], "after a deleted site")
      yield* sites.update(organisationId, d.id, { siteName: "Z" }, { at: changedAt })
      assert.deepEqual(yield* after(d), [b.id, a.id, d.id], "after a renamed site, which comes again")
    })
  },
  ...[1, 2, 3].map((seed) => ({
    name: `finds and sorts sites as core does (random records ${seed})`,
    check: randomSites(seed)
  }))
]
