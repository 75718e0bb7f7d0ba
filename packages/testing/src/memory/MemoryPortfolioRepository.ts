/**
 * `PortfolioRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  type ChangeOptions,
  DocumentRequirements,
  eventOrigins,
  isExpected,
  MaximumPageBytes,
  type OrganisationId,
  OrganisationNotFound,
  Portfolio,
  type PortfolioChanges,
  type PortfolioId,
  PortfolioNotFound,
  PortfolioRepository,
  portfolioSortKeys,
  type Site,
  type SiteId,
  SiteNotFound,
  SiteNotInPortfolio,
  SitesTooLarge,
  siteEvent,
  totalCapacityKw,
  VersionMismatch
} from "@solar-sites/core"
import { type DateTime, Effect, Layer, Option } from "effect"
import { byId, externalIdTaken, MemoryDatabase, type Owned, ownedBy, ownerOf } from "./MemoryDatabase.ts"
import { portfolioEvent, recordEvents, requirementsEvent } from "./MemoryEventLog.ts"
import { isAfter, isFound, sortedPageOf } from "./MemoryFinding.ts"
import { slicesOf } from "./MemoryPortfolioSlices.ts"
import { areTooLarge, changedSite } from "./MemorySite.ts"

const frozen = (portfolio: Pick<Portfolio, keyof Portfolio>): Portfolio =>
  Object.freeze(new Portfolio(portfolio, { disableChecks: true }))

const sitesOf = ({ sites }: Owned, portfolioId: PortfolioId): ReadonlyArray<Site> =>
  [...sites.values()].filter((site) => site.portfolioId === portfolioId)

const withTotals = (owned: Owned, portfolio: Portfolio): Portfolio => {
  const sites = sitesOf(owned, portfolio.id)
  return frozen({ ...portfolio, siteCount: sites.length, capacityKw: totalCapacityKw(sites) })
}

/** Moves the sites, and makes an event for each site that changes, in order of id. */
const move = ({ sites }: Owned, moving: ReadonlyArray<Site>, portfolioId: PortfolioId | null, at: DateTime.Utc) => {
  const moves = moving.map((site) => ({ id: site.id, site, moved: changedSite(site, { portfolioId }, at) }))
  for (const { id, moved } of moves) sites.set(id, moved)
  const events = moves
    .sort(byId)
    .flatMap(({ moved, site }) => (moved === site ? [] : [siteEvent("site.updated", site, moved)]))
  return { moved: moving.flatMap(({ id }) => sites.get(id) ?? []), events }
}

const removeRequirements = (owned: Owned, { id: portfolioId, organisationId }: Portfolio) => {
  const { requirements, version } = owned.requirements
  const others = requirements.filter((requirement) => requirement.portfolioId !== portfolioId)
  if (others.length === requirements.length) return []
  const { requirements: before } = owned
  owned.requirements = new DocumentRequirements({ requirements: others, version: version + 1 })
  return [requirementsEvent(organisationId, before, owned.requirements)]
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

    const insertMany = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolios: ReadonlyArray<Portfolio>
    ) {
      const origin = yield* originOf(organisationId)
      const owner = ownerOf(database, organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      const created = portfolios.filter(({ id }) => !owner.portfolios.has(id))
      const taken = externalIdTaken(owner.portfolios.values(), created)
      if (taken !== undefined) return yield* taken
      const events = created.sort(byId).map((portfolio) => portfolioEvent("portfolio.created", null, portfolio))
      recordEvents(owner, origin, events)
      return portfolios.map((portfolio) => {
        const stored = owner.portfolios.get(portfolio.id) ?? frozen({ ...portfolio, organisationId })
        owner.portfolios.set(portfolio.id, stored)
        return withTotals(owner, stored)
      })
    })

    const update = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      changes: PortfolioChanges,
      { at, expectedVersions }: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId })
      const { version } = portfolio
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      const { externalId = portfolio.externalId, name = portfolio.name } = changes
      const taken = externalIdTaken(owned.portfolios.values(), [{ id: portfolioId, externalId }])
      if (taken !== undefined) return yield* taken
      if (name === portfolio.name && externalId === portfolio.externalId) return withTotals(owned, portfolio)
      const changed = frozen({ ...portfolio, name, externalId, updatedAt: at, version: version + 1 })
      owned.portfolios.set(portfolioId, changed)
      recordEvents(owned, origin, [portfolioEvent("portfolio.updated", portfolio, changed)])
      return withTotals(owned, changed)
    })

    const remove = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      { at, expectedVersions }: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId })
      const { version } = portfolio
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      const { events } = move(owned, sitesOf(owned, portfolioId), null, at)
      const removed = removeRequirements(owned, portfolio)
      owned.portfolios.delete(portfolioId)
      recordEvents(owned, origin, [portfolioEvent("portfolio.deleted", portfolio, null), ...events, ...removed])
    })

    const addSites = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      { at }: { readonly at: DateTime.Utc }
    ) {
      const origin = yield* originOf(organisationId)
      const maximumBytes = yield* MaximumPageBytes
      const owned = ownedBy(database, organisationId)
      if (!owned.portfolios.has(portfolioId)) return yield* new PortfolioNotFound({ portfolioId })
      const missing = siteIds.filter((siteId) => !owned.sites.has(siteId))
      if (missing.length > 0) return yield* new SiteNotFound({ siteIds: missing })
      const moving = siteIds.flatMap((siteId) => owned.sites.get(siteId) ?? [])
      if (areTooLarge(moving, maximumBytes)) return yield* new SitesTooLarge()
      const { events, moved } = move(owned, moving, portfolioId, at)
      recordEvents(owned, origin, events)
      return moved
    })

    const removeSites = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      { at, expectedVersions }: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId })
      const members = new Map(sitesOf(owned, portfolioId).map((site) => [site.id, site]))
      const strangers = siteIds.filter((siteId) => !members.has(siteId))
      if (strangers.length > 0) return yield* new SiteNotInPortfolio({ portfolioId, siteIds: strangers })
      const { version } = portfolio
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      const moving = siteIds.flatMap((siteId) => members.get(siteId) ?? [])
      recordEvents(owned, origin, move(owned, moving, null, at).events)
    })

    return PortfolioRepository.of({
      insertMany,
      findById: (organisationId, portfolioId) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          const found = Option.fromUndefinedOr(owned.portfolios.get(portfolioId))
          return Option.map(found, (portfolio) => withTotals(owned, portfolio))
        }),
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
      update,
      delete: remove,
      addSites,
      removeSites
    })
  })
)
