/**
 * `PortfolioRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  addSites,
  allConditionsRead,
  type ChangeOptions,
  checkedVersion,
  deletePortfolio,
  eventOrigins,
  MaximumPageBytes,
  type OrganisationId,
  type PortfolioId,
  PortfolioRepository,
  portfolioEvent,
  portfolioRecords,
  portfolioSortKeys,
  removeSites,
  type Site,
  type SiteId,
  siteEvent
} from "@solar-sites/core"
import { type DateTime, Effect, Layer, Result } from "effect"
import { byId, MemoryDatabase, type Owned, ownedBy } from "./MemoryDatabase.ts"
import { recordEvents } from "./MemoryEventLog.ts"
import { isAfter, isFound, sortedPageOf } from "./MemoryFinding.ts"
import { sitesOf, withTotals } from "./MemoryPortfolio.ts"
import { slicesOf } from "./MemoryPortfolioSlices.ts"
import * as MemoryRecords from "./MemoryRecords.ts"
import { removeRequirements } from "./MemoryRequirements.ts"
import { areTooLarge, changedSite } from "./MemorySite.ts"

/** Moves the sites, and makes an event for each site that changes, in order of id. */
const move = ({ sites }: Owned, moving: ReadonlyArray<Site>, portfolioId: PortfolioId | null, at: DateTime.Utc) => {
  const moves = moving.map((site) => ({ id: site.id, site, moved: changedSite(site, { portfolioId }, at) }))
  for (const { id, moved } of moves) sites.set(id, moved)
  const events = moves
    .sort(byId)
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
    const originOf = yield* eventOrigins

    const remove = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      { at, expectedVersions }: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      const judged = deletePortfolio(portfolioId)(checkedVersion(expectedVersions, portfolio))
      if (Result.isFailure(judged)) return yield* Effect.fail(judged.failure)
      if (portfolio === undefined) return
      const { events } = move(owned, sitesOf(owned, portfolioId), null, at)
      const removed = removeRequirements(owned, organisationId, portfolioId, at)
      owned.portfolios.delete(portfolioId)
      recordEvents(owned, origin, [portfolioEvent("portfolio.deleted", portfolio, null), ...events, ...removed])
    })

    const add = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      { at }: { readonly at: DateTime.Utc }
    ) {
      const origin = yield* originOf(organisationId)
      const maximumBytes = yield* MaximumPageBytes
      const owned = ownedBy(database, organisationId)
      const moving = siteIds.flatMap((siteId) => owned.sites.get(siteId) ?? [])
      const found = {
        missing: siteIds.filter((siteId) => !owned.sites.has(siteId)),
        areTooLarge: areTooLarge(moving, maximumBytes)
      }
      const judged = addSites(portfolioId, siteIds)(owned.portfolios.has(portfolioId) ? found : null)
      if (Result.isFailure(judged)) return yield* Effect.fail(judged.failure)
      const { events, moved } = move(owned, moving, portfolioId, at)
      recordEvents(owned, origin, events)
      return moved
    })

    const release = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      { at, expectedVersions }: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const checked = checkedVersion(expectedVersions, owned.portfolios.get(portfolioId))
      const members = new Map(sitesOf(owned, portfolioId).map((site) => [site.id, site]))
      const missing = siteIds.filter((siteId) => !members.has(siteId))
      const judged = removeSites(portfolioId, siteIds)(checked && { ...checked, missing })
      if (Result.isFailure(judged)) return yield* Effect.fail(judged.failure)
      const moving = siteIds.flatMap((siteId) => members.get(siteId) ?? [])
      recordEvents(owned, origin, move(owned, moving, null, at).events)
    })

    return PortfolioRepository.of({
      ...(yield* portfolioRecords),
      list: (organisationId, { externalId, q, updatedAfter, ...rest }, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          allConditionsRead(rest)
          const owned = ownedBy(database, organisationId)
          const matching = [...owned.portfolios.values()].filter(
            (portfolio) =>
              (externalId === undefined || portfolio.externalId === externalId) &&
              isAfter(portfolio.updatedAt, updatedAfter) &&
              isFound(q, portfolio.name, portfolio.externalId)
          )
          const { hasMore, items } = sortedPageOf(matching, page, portfolioSortKeys, bytes)
          return { items: items.map((portfolio) => withTotals(owned, portfolio)), hasMore }
        }),
      listWithSites: (organisationId, piece) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const owned = ownedBy(database, organisationId)
          const portfolios = [...owned.portfolios.values()].map((portfolio) => withTotals(owned, portfolio))
          return slicesOf(portfolios, [...owned.sites.values()], { ...piece, bytes })
        }),
      delete: remove,
      addSites: add,
      removeSites: release
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
