/**
 * `RequirementRepository` in memory.
 *
 * @since 0.1.0
 */
import { RequirementRepository, requirementListRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { listCoverage, summariseCoverage } from "./MemoryCoverage.ts"
import { MemoryDatabase, ownedBy } from "./MemoryDatabase.ts"
import * as MemoryRecords from "./MemoryRecords.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<RequirementRepository, never, MemoryDatabase> = Layer.effect(
  RequirementRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase

    return RequirementRepository.of({
      ...(yield* requirementListRecords),
      listCoverage: (organisationId, conditions, page) =>
        Effect.sync(() => listCoverage(ownedBy(database, organisationId), conditions, page)),
      summariseCoverage: (organisationId, conditions) =>
        Effect.sync(() => summariseCoverage(ownedBy(database, organisationId), conditions))
    })
  })
).pipe(Layer.provide(MemoryRecords.layer))
