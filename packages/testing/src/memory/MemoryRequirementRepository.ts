/**
 * `RequirementRepository` in memory.
 *
 * @since 0.1.0
 */
import { RequirementRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { listCoverage, summariseCoverage } from "./MemoryCoverage.ts"
import { MemoryDatabase, ownedBy } from "./MemoryDatabase.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<RequirementRepository, never, MemoryDatabase> = Layer.effect(
  RequirementRepository,
  Effect.map(MemoryDatabase, (database) =>
    RequirementRepository.of({
      listCoverage: (organisationId, conditions, page) =>
        Effect.sync(() => listCoverage(ownedBy(database, organisationId), conditions, page)),
      summariseCoverage: (organisationId, conditions) =>
        Effect.sync(() => summariseCoverage(ownedBy(database, organisationId), conditions))
    })
  )
)
