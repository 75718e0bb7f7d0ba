/** `SiteRepository` in memory. */
import { MaximumPageBytes, pageOfSites, SiteRepository, siteDeletion, siteKind, siteSaving } from "@solar-sites/core"
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
      list: (organisationId, conditions, page) =>
        Effect.map(MaximumPageBytes, (bytes) =>
          pageOfSites(recordsOf(database.get(organisationId), siteKind).values(), conditions, page, bytes)
        )
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
