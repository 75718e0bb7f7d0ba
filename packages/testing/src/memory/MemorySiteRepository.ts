/** `SiteRepository` in memory. */
import {
  clustersOfSites,
  MaximumPageBytes,
  pageOfSites,
  reachParts,
  SiteRepository,
  siteDeletion,
  siteKind,
  siteSaving,
  sitesWithin
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, recordsOf } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

export const layer: Layer.Layer<SiteRepository, never, MemoryDatabase> = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return SiteRepository.of({
      ...(yield* siteSaving),
      ...(yield* siteDeletion),
      list: (reach, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const sites = recordsOf(database.get(reachParts(reach).organisationId), siteKind)
          return pageOfSites(sitesWithin(reach, sites.values()), conditions, page, bytes)
        }),
      clusters: (reach, conditions) =>
        Effect.sync(() => {
          const sites = recordsOf(database.get(reachParts(reach).organisationId), siteKind)
          return clustersOfSites(sitesWithin(reach, sites.values()), conditions)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
