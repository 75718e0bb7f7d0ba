/** `SiteRepository` in memory. */
import {
  clustersOfSites,
  type HealthOnDay,
  MaximumPageBytes,
  pageOfSites,
  type Reach,
  reachParts,
  type Site,
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
    const sitesOf = (reach: Reach, health: HealthOnDay | undefined): ReadonlyArray<Site> =>
      health === undefined
        ? sitesWithin(reach, recordsOf(database.get(reachParts(reach).organisationId), siteKind).values())
        : sitesOfHealth(sourcesOf(database, reach), health)

    return SiteRepository.of({
      ...(yield* siteSaving),
      ...(yield* siteDeletion),
      list: (reach, { health, ...conditions }, page) =>
        Effect.map(MaximumPageBytes, (bytes) => pageOfSites(sitesOf(reach, health), conditions, page, bytes)),
      clusters: (reach, { health, ...conditions }) =>
        Effect.sync(() => clustersOfSites(sitesOf(reach, health), conditions))
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
