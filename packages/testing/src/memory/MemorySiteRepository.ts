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
  sitesOfHealth,
  sitesWithin
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, recordsOf } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"
import { sourcesOf } from "./MemoryRequirementRepository.ts"

export const layer: Layer.Layer<SiteRepository, never, MemoryDatabase> = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return SiteRepository.of({
      ...(yield* siteSaving),
      ...(yield* siteDeletion),
      list: (reach, { health, ...conditions }, page) =>
        Effect.map(MaximumPageBytes, (bytes) => {
          const sites =
            health === undefined
              ? sitesWithin(reach, recordsOf(database.get(reachParts(reach).organisationId), siteKind).values())
              : sitesOfHealth(sourcesOf(database, reach), health)
          return pageOfSites(sites, conditions, page, bytes)
        }),
      clusters: (reach, conditions) =>
        Effect.sync(() => {
          const sites = recordsOf(database.get(reachParts(reach).organisationId), siteKind)
          return clustersOfSites(sitesWithin(reach, sites.values()), conditions)
        })
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
