/**
 * `SiteRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  allConditionsRead,
  checkedVersion,
  MaximumPageBytes,
  SiteRepository,
  siteEvent,
  siteSortKeys
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { byId, MemoryDatabase, ownedBy, removeSite } from "./MemoryDatabase.ts"
import { documentEvent, recordEvents } from "./MemoryEventLog.ts"
import { isAfter, isFound, sortedPageOf } from "./MemoryFinding.ts"
import { makeSaveMany } from "./MemorySiteBulk.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<SiteRepository, never, MemoryDatabase> = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return SiteRepository.of({
      saveMany: makeSaveMany(database),
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
      delete: (organisationId, siteId, { expectedVersions, origin }) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          const site = owned.sites.get(siteId)
          const checked = checkedVersion(expectedVersions, site)
          if (site === undefined || !checked?.isExpected) return checked
          const documents = [...owned.documents.values()]
            .map(({ document }) => document)
            .filter((document) => document.siteId === siteId)
            .sort(byId)
          removeSite(owned, siteId)
          recordEvents(owned, origin, [
            siteEvent("site.deleted", site, null),
            ...documents.map((document) => documentEvent("document.deleted", document, null))
          ])
          return checked
        })
    })
  })
)
