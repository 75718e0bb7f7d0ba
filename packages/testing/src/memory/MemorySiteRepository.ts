/**
 * `SiteRepository` in memory.
 *
 * @since 0.1.0
 */
import { checkedVersion, MaximumPageBytes, pageOfSites, SiteRepository, siteEvent } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, ownedBy, removeSite } from "./MemoryDatabase.ts"
import { documentEvent, recordEvents } from "./MemoryEventLog.ts"
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
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) =>
          pageOfSites(ownedBy(database, organisationId).sites.values(), conditions, page, bytes)
        ),
      delete: (organisationId, siteId, { expectedVersions, origin }) =>
        Effect.sync(() => {
          const owned = ownedBy(database, organisationId)
          const site = owned.sites.get(siteId)
          const checked = checkedVersion(expectedVersions, site)
          if (site === undefined || !checked?.isExpected) return checked
          const documents = [...owned.documents.values()]
            .map(({ document }) => document)
            .filter((document) => document.siteId === siteId)
            .sort((a, b) => (a.id < b.id ? -1 : 1))
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
