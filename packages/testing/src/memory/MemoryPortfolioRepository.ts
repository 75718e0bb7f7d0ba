/**
 * `PortfolioRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  checkedVersion,
  MaximumPageBytes,
  type PortfolioId,
  PortfolioRepository,
  pageOfPortfolios,
  pageOfSlices,
  portfolioEvent,
  type Site,
  siteEvent,
  withTotals
} from "@solar-sites/core"
import { type DateTime, Effect, Layer } from "effect"
import { MemoryDatabase, type Owned, ownedBy } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { sitesOf } from "./MemoryPortfolio.ts"
import { removeRequirements } from "./MemoryRequirements.ts"
import { areTooLarge, changedSite } from "./MemorySite.ts"

type Service = PortfolioRepository["Service"]

/** Moves the sites, and makes an event for each site that changes, in order of id. */
const move = ({ sites }: Owned, moving: ReadonlyArray<Site>, portfolioId: PortfolioId | null, at: DateTime.Utc) => {
  const moves = moving.map((site) => ({ id: site.id, site, moved: changedSite(site, { portfolioId }, at) }))
  for (const { id, moved } of moves) sites.set(id, moved)
  const events = moves
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ moved, site }) => (moved === site ? [] : [siteEvent("site.updated", site, moved)]))
  return { moved: moving.flatMap(({ id }) => sites.get(id) ?? []), events }
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<PortfolioRepository, never, MemoryDatabase> = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    const remove: Service["delete"] = (organisationId, portfolioId, { at, expectedVersions, origin }) =>
      Effect.sync(() => {
        const owned = ownedBy(database, organisationId)
        const portfolio = owned.portfolios.get(portfolioId)
        const checked = checkedVersion(expectedVersions, portfolio)
        if (portfolio === undefined || !checked?.isExpected) return checked
        const { events } = move(owned, sitesOf(owned, portfolioId), null, at)
        const removed = removeRequirements(owned, organisationId, portfolioId, at)
        owned.portfolios.delete(portfolioId)
        recordEvents(owned, origin, [portfolioEvent("portfolio.deleted", portfolio, null), ...events, ...removed])
        return checked
      })

    const moveSites: Service["moveSites"] = (
      organisationId,
      { direction, portfolioId, siteIds },
      { at, expectedVersions, origin }
    ) =>
      Effect.map(MaximumPageBytes, (maximumBytes) => {
        const owned = ownedBy(database, organisationId)
        const checked = checkedVersion(expectedVersions, owned.portfolios.get(portfolioId))
        if (checked === null) return null
        const isInto = direction === "into"
        const found = siteIds.flatMap((siteId) => owned.sites.get(siteId) ?? [])
        const moving = found.filter((site) => isInto || site.portfolioId === portfolioId)
        const there = new Set(moving.map(({ id }) => id))
        const missing = siteIds.filter((siteId) => !there.has(siteId))
        const tooLarge = isInto && areTooLarge(moving, maximumBytes)
        const answer = { ...checked, missing, areTooLarge: tooLarge }
        if (missing.length > 0 || tooLarge || !checked.isExpected) return { ...answer, sites: [] }
        const { events, moved } = move(owned, moving, isInto ? portfolioId : null, at)
        recordEvents(owned, origin, events)
        return { ...answer, sites: isInto ? moved : [] }
      })

    return PortfolioRepository.of({
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owned = ownedBy(database, organisationId)
          const { hasMore, items } = pageOfPortfolios(owned.portfolios.values(), conditions, page, bytes)
          return { items: items.map((portfolio) => withTotals(portfolio, sitesOf(owned, portfolio.id))), hasMore }
        }),
      listWithSites: (organisationId, piece) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const { portfolios, sites } = ownedBy(database, organisationId)
          return pageOfSlices(portfolios.values(), sites.values(), piece, bytes)
        }),
      delete: remove,
      moveSites
    })
  })
)
