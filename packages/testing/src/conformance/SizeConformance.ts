/**
 * Bounds in bytes: pages of large items, and steps that return many large sites.
 */

import {
  type Event,
  EventRepository,
  MaximumPageBytes,
  type OrganisationId,
  type Page,
  type PortfolioSlice,
  type Site,
  SitesTooLarge,
  type SlicePosition
} from "@solar-sites/core"
import { Effect } from "effect"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import type { EventPorts } from "./EventSetup.ts"
import { refused } from "./Expectations.ts"
import { portfolioMethods, siteMethods } from "./Methods.ts"
import { changedAt, insertOrganisation, insertPortfolio, type RecordPorts } from "./Setup.ts"
import { asNew, newSite, saveSites } from "./SiteBulkConformance.ts"

const limit = 1_000
const maximum = 100_000
/** Twelve of them do not fit on one page. */
const attributes = { note: "𝔖".repeat(1_000), remark: "𝔖".repeat(1_000) }
const count = 30

const bounded = Effect.provideService(MaximumPageBytes, maximum)

const idsOf = <Id>(items: ReadonlyArray<{ readonly id: Id }>): ReadonlyArray<Id> => items.map(({ id }) => id)

const insertLargeSites = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  overrides: (index: number) => Partial<Site>
) {
  const sites = Array.from({ length: count }, (_, index) =>
    newSite(organisationId, { externalId: `L-${index}`, attributes, ...overrides(index) })
  )
  yield* saveSites(organisationId, sites.map(asNew))
  return sites
})

/** Reads all pages, and expects that each but the last ends about where it has the maximum of bytes. */
const expectBounded = Effect.fnUntraced(function* <Item, E, R>(
  fetch: (last: Item | undefined) => Effect.Effect<Page<Item>, E, R>
) {
  const all: Array<Item> = []
  let pages = 0
  while (true) {
    const { hasMore, items }: Page<Item> = yield* bounded(fetch(all.at(-1)))
    pages += 1
    all.push(...items)
    const bytes = Buffer.byteLength(JSON.stringify(items.slice(0, -1)))
    assert.ok(bytes < 1.1 * maximum, `page ${pages} has at most the maximum and one item`)
    if (!hasMore) break
    assert.ok(bytes > 0.8 * maximum, `page ${pages} is no shorter than it has to be`)
  }
  assert.ok(pages > 1, "the items do not fit on one page")
  return all
})

export const siteSizeCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "ends pages of large sites early, and lists each site once in any order",
    check: Effect.gen(function* () {
      const { list } = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const sites = yield* insertLargeSites(organisationId, () => ({}))
      const listed = yield* expectBounded((last: Site | undefined) =>
        list(organisationId, {}, { after: last?.id ?? null, limit })
      )
      assert.deepEqual(idsOf(listed), idsOf(sites))
      const sorted = yield* expectBounded((last: Site | undefined) => {
        const sort = { by: "capacityKw", order: "desc", value: last?.capacityKw ?? null } as const
        return list(organisationId, {}, { after: last?.id ?? null, limit, sort })
      })
      assert.deepEqual(idsOf(sorted), idsOf(sites).toReversed())
      const one = list(organisationId, {}, { after: null, limit })
      const { hasMore, items } = yield* Effect.provideService(one, MaximumPageBytes, 1)
      assert.deepEqual([items.length, hasMore], [1, true], "a page has at least one site")
    })
  },
  {
    name: "refuses to save stored sites that are too large together",
    check: Effect.gen(function* () {
      const { list } = yield* siteMethods
      const organisationId = yield* insertOrganisation()
      const sites = yield* insertLargeSites(organisationId, () => ({}))
      const saves = sites.map(({ externalId }) => ({
        site: null,
        changes: { externalId: externalId ?? "", attributes: {} }
      }))
      for (const dryRun of [true, false]) {
        const attempt = bounded(saveSites(organisationId, saves, dryRun))
        yield* refused(attempt, SitesTooLarge, "sites that are too large")
      }
      yield* refused(bounded(saveSites(organisationId, sites.map(asNew))), SitesTooLarge, "a repetition")
      const { items } = yield* list(organisationId, {}, { after: null, limit })
      assert.deepEqual(items, sites, "a refusal changes nothing")
      const results = yield* bounded(saveSites(organisationId, saves.slice(0, 10)))
      assert.deepEqual([...new Set(results.map(({ result }) => result))], ["updated"], "fewer of them are saved")
    })
  }
]

const positionOf = (slice: PortfolioSlice | undefined): SlicePosition | null =>
  slice === undefined ? null : { portfolioId: slice.portfolioId, siteId: slice.sites.at(-1)?.id ?? null }

export const portfolioSizeCases: ReadonlyArray<ConformanceCase<RecordPorts>> = [
  {
    name: "ends pieces of large sites early, and begins each portfolio once",
    check: Effect.gen(function* () {
      const { listWithSites } = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const portfolios = [
        yield* insertPortfolio(organisationId),
        yield* insertPortfolio(organisationId),
        yield* insertPortfolio(organisationId)
      ] as const
      const [first, second] = portfolios
      const sites = yield* insertLargeSites(organisationId, (index) => ({
        portfolioId: index < count - 2 ? first.id : second.id
      }))
      const slices: Array<PortfolioSlice> = []
      let pieces = 0
      let hasMore = true
      while (hasMore) {
        const piece = { after: positionOf(slices.at(-1)), limit }
        const { items, ...page }: Page<PortfolioSlice> = yield* bounded(listWithSites(organisationId, piece))
        slices.push(...items)
        hasMore = page.hasMore
        pieces += 1
      }
      assert.equal(pieces, 3, "pieces are as long as they can be")
      assert.deepEqual(idsOf(slices.flatMap((slice) => slice.sites)), idsOf(sites))
      const begun = slices.flatMap(({ portfolio }) => portfolio ?? [])
      assert.deepEqual(idsOf(begun), idsOf(portfolios), "each portfolio begins once, also one without sites")
    })
  },
  {
    name: "refuses to add sites that are too large together",
    check: Effect.gen(function* () {
      const { addSites } = yield* portfolioMethods
      const organisationId = yield* insertOrganisation()
      const { id } = yield* insertPortfolio(organisationId)
      const ids = idsOf(yield* insertLargeSites(organisationId, () => ({})))
      const attempt = bounded(addSites(organisationId, id, ids, { at: changedAt }))
      yield* refused(attempt, SitesTooLarge, "sites that are too large")
      const added = yield* bounded(addSites(organisationId, id, ids.slice(0, 2), { at: changedAt }))
      assert.deepEqual(
        added.map(({ version }) => version),
        [2, 2],
        "fewer are added, and the refusal has changed nothing"
      )
    })
  }
]

export const eventSizeCases: ReadonlyArray<ConformanceCase<EventPorts>> = [
  {
    name: "ends pages of large events early, and lists each event once",
    check: Effect.gen(function* () {
      const { list } = yield* EventRepository
      const organisationId = yield* insertOrganisation()
      const sites = yield* insertLargeSites(organisationId, () => ({}))
      const events = yield* expectBounded((last: Event | undefined) =>
        list(organisationId, {}, { after: last?.sequence ?? null, limit, order: "asc" })
      )
      const created = events.flatMap(({ siteId, type }) => (type === "site.created" ? [siteId] : []))
      assert.deepEqual(created, idsOf(sites))
    })
  }
]
