/**
 * `PortfolioRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  type ChangeOptions,
  DocumentRequirements,
  isExpected,
  type OrganisationId,
  OrganisationNotFound,
  Portfolio,
  type PortfolioId,
  PortfolioNotFound,
  PortfolioRepository,
  type Site,
  type SiteId,
  SiteNotFound,
  SiteNotInPortfolio,
  totalCapacityKw,
  VersionMismatch
} from "@solar-sites/core"
import { type DateTime, Effect, Layer, Option } from "effect"
import { MemoryDatabase, type MemoryOrganisation, ownedBy, ownerOf, pageOf } from "./MemoryDatabase.ts"
import { slicesOf } from "./MemoryPortfolioSlices.ts"
import { changedSite } from "./MemorySite.ts"

type Owned = Omit<MemoryOrganisation, "organisation">

const frozen = (portfolio: Pick<Portfolio, keyof Portfolio>): Portfolio =>
  Object.freeze(new Portfolio(portfolio, { disableChecks: true }))

const sitesOf = ({ sites }: Owned, portfolioId: PortfolioId): ReadonlyArray<Site> =>
  [...sites.values()].filter((site) => site.portfolioId === portfolioId)

const withTotals = (owned: Owned, portfolio: Portfolio): Portfolio => {
  const sites = sitesOf(owned, portfolio.id)
  return frozen({ ...portfolio, siteCount: sites.length, capacityKw: totalCapacityKw(sites) })
}

const move = ({ sites }: Owned, moving: ReadonlyArray<Site>, portfolioId: PortfolioId | null, at: DateTime.Utc) =>
  moving.map((site) => {
    const moved = changedSite(site, { portfolioId }, at)
    sites.set(site.id, moved)
    return moved
  })

const removeRequirements = (owned: Owned, portfolioId: PortfolioId) => {
  const { requirements, version } = owned.requirements
  const others = requirements.filter((requirement) => requirement.portfolioId !== portfolioId)
  if (others.length === requirements.length) return
  owned.requirements = new DocumentRequirements({ requirements: others, version: version + 1 })
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<PortfolioRepository, never, MemoryDatabase> = Layer.effect(
  PortfolioRepository,
  Effect.map(MemoryDatabase, (database) => {
    const insertMany = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolios: ReadonlyArray<Portfolio>
    ) {
      const owner = ownerOf(database, organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      return portfolios.map((portfolio) => {
        const stored = owner.portfolios.get(portfolio.id) ?? frozen({ ...portfolio, organisationId })
        owner.portfolios.set(portfolio.id, stored)
        return withTotals(owner, stored)
      })
    })

    const update = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      { name }: { readonly name?: string },
      { at, expectedVersions }: ChangeOptions
    ) {
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId })
      const { version } = portfolio
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      if (name === undefined || name === portfolio.name) return withTotals(owned, portfolio)
      const renamed = frozen({ ...portfolio, name, updatedAt: at, version: version + 1 })
      owned.portfolios.set(portfolioId, renamed)
      return withTotals(owned, renamed)
    })

    const remove = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      { at, expectedVersions }: ChangeOptions
    ) {
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId })
      const { version } = portfolio
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      move(owned, sitesOf(owned, portfolioId), null, at)
      removeRequirements(owned, portfolioId)
      owned.portfolios.delete(portfolioId)
    })

    const addSites = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      { at }: { readonly at: DateTime.Utc }
    ) {
      const owned = ownedBy(database, organisationId)
      if (!owned.portfolios.has(portfolioId)) return yield* new PortfolioNotFound({ portfolioId })
      const missing = siteIds.filter((siteId) => !owned.sites.has(siteId))
      if (missing.length > 0) return yield* new SiteNotFound({ siteIds: missing })
      return move(
        owned,
        siteIds.flatMap((siteId) => owned.sites.get(siteId) ?? []),
        portfolioId,
        at
      )
    })

    const removeSites = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      { at, expectedVersions }: ChangeOptions
    ) {
      const owned = ownedBy(database, organisationId)
      const portfolio = owned.portfolios.get(portfolioId)
      if (portfolio === undefined) return yield* new PortfolioNotFound({ portfolioId })
      const members = new Map(sitesOf(owned, portfolioId).map((site) => [site.id, site]))
      const strangers = siteIds.filter((siteId) => !members.has(siteId))
      if (strangers.length > 0) return yield* new SiteNotInPortfolio({ portfolioId, siteIds: strangers })
      const { version } = portfolio
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      move(
        owned,
        siteIds.flatMap((siteId) => members.get(siteId) ?? []),
        null,
        at
      )
    })

    return PortfolioRepository.of({
      insertMany,
      findById: (organisationId, portfolioId) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          const found = Option.fromUndefinedOr(owned.portfolios.get(portfolioId))
          return Option.map(found, (portfolio) => withTotals(owned, portfolio))
        }),
      list: (organisationId, page) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          const { hasMore, items } = pageOf(owned.portfolios.values(), page)
          return { items: items.map((portfolio) => withTotals(owned, portfolio)), hasMore }
        }),
      listWithSites: (organisationId, piece) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          const portfolios = [...owned.portfolios.values()].map((portfolio) => withTotals(owned, portfolio))
          return slicesOf(portfolios, [...owned.sites.values()], piece)
        }),
      update,
      delete: remove,
      addSites,
      removeSites
    })
  })
)
