/**
 * `SiteRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  type ChangeOptions,
  type ExpectedVersions,
  eventOrigins,
  isExpected,
  MaximumPageBytes,
  type OrganisationId,
  OrganisationNotFound,
  PortfolioNotFound,
  type Site,
  type SiteChanges,
  type SiteId,
  SiteNotFound,
  SiteRepository,
  siteSortKeys,
  VersionMismatch
} from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { byId, deleteSite, externalIdTaken, MemoryDatabase, ownedBy, ownerOf } from "./MemoryDatabase.ts"
import { documentEvent, recordEvents, siteEvent } from "./MemoryEventLog.ts"
import { isAfter, isFound, sortedPageOf } from "./MemoryFinding.ts"
import { changedSite, frozenSite } from "./MemorySite.ts"
import { makeSaveMany } from "./MemorySiteBulk.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<SiteRepository, never, MemoryDatabase> = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins

    const insert = Effect.fnUntraced(function* (organisationId: OrganisationId, site: Site) {
      const origin = yield* originOf(organisationId)
      const owner = ownerOf(database, organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      const there = owner.sites.get(site.id)
      if (there !== undefined) return there
      const { portfolioId } = site
      if (portfolioId !== null && !owner.portfolios.has(portfolioId))
        return yield* new PortfolioNotFound({ portfolioId })
      const taken = externalIdTaken(owner.sites.values(), [site])
      if (taken !== undefined) return yield* taken
      const stored = frozenSite({ ...site, organisationId })
      owner.sites.set(site.id, stored)
      recordEvents(owner, origin, [siteEvent("site.created", null, stored)])
      return stored
    })

    const update = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      siteId: SiteId,
      changes: SiteChanges,
      options: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const { portfolios, sites } = owned
      const site = sites.get(siteId)
      if (site === undefined) return yield* new SiteNotFound({ siteIds: [siteId] })
      const portfolioId = changes.portfolioId ?? null
      if (portfolioId !== null && !portfolios.has(portfolioId)) return yield* new PortfolioNotFound({ portfolioId })
      if (!isExpected(options.expectedVersions, site.version)) {
        return yield* new VersionMismatch({ actual: site.version })
      }
      const taken = externalIdTaken(sites.values(), [{ ...site, ...changes }])
      if (taken !== undefined) return yield* taken
      const updated = changedSite(site, changes, options.at)
      sites.set(siteId, updated)
      if (updated !== site) recordEvents(owned, origin, [siteEvent("site.updated", site, updated)])
      return updated
    })

    const remove = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      siteId: SiteId,
      expectedVersions?: ExpectedVersions
    ) {
      const origin = yield* originOf(organisationId)
      const owned = ownedBy(database, organisationId)
      const site = owned.sites.get(siteId)
      if (site === undefined) return yield* new SiteNotFound({ siteIds: [siteId] })
      if (!isExpected(expectedVersions, site.version)) return yield* new VersionMismatch({ actual: site.version })
      const documents = [...owned.documents.values()]
        .map(({ document }) => document)
        .filter((document) => document.siteId === siteId)
        .sort(byId)
      deleteSite(owned, siteId)
      recordEvents(owned, origin, [
        siteEvent("site.deleted", site, null),
        ...documents.map((document) => documentEvent("document.deleted", document, null))
      ])
    })

    return SiteRepository.of({
      insert,
      saveMany: makeSaveMany(database, originOf),
      findById: (organisationId, siteId) =>
        Effect.sync(() => Option.fromUndefinedOr(ownedBy(database, organisationId).sites.get(siteId))),
      idsByExternalId: (organisationId, externalIds) =>
        Effect.sync(() => {
          const asked = new Set(externalIds)
          const sites = [...ownedBy(database, organisationId).sites.values()]
          return new Map(
            sites.flatMap(({ externalId, id }) =>
              externalId !== null && asked.has(externalId) ? [[externalId, id] as const] : []
            )
          )
        }),
      list: (organisationId, { externalId, portfolioId, q, siteId, tag = [], unit, updatedAfter, ...rest }, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          allConditionsRead(rest)
          const sites = [...ownedBy(database, organisationId).sites.values()]
          const matching = sites.filter(
            (site) =>
              (siteId === undefined || site.id === siteId) &&
              (portfolioId === undefined || site.portfolioId === portfolioId) &&
              (externalId === undefined || site.externalId === externalId) &&
              tag.every((one) => site.tags.includes(one)) &&
              (unit === undefined || site.unit === unit) &&
              isAfter(site.updatedAt, updatedAfter) &&
              isFound(q, site.siteName, site.address, site.externalId)
          )
          return sortedPageOf(matching, page, siteSortKeys, bytes)
        }),
      update,
      delete: remove
    })
  })
)
