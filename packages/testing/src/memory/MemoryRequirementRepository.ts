/**
 * `RequirementRepository` in memory.
 *
 * @since 0.1.0
 */
import { type CoverageSources, coverageSummary, pageOfCoverage, RequirementRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, type MemoryOrganisation } from "./MemoryDatabase.ts"
import { documentsIn } from "./MemoryDocumentRecords.ts"
import { requirementsOf } from "./MemoryRequirements.ts"

const sourcesOf = (owner: MemoryOrganisation | undefined): CoverageSources => ({
  requirements: owner === undefined ? [] : requirementsOf(owner).requirements,
  sites: owner?.sites.values() ?? [],
  documents: documentsIn(owner).values()
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<RequirementRepository, never, MemoryDatabase> = Layer.effect(
  RequirementRepository,
  Effect.map(MemoryDatabase, (database) =>
    RequirementRepository.of({
      listCoverage: (organisationId, conditions, page) =>
        Effect.sync(() => pageOfCoverage(sourcesOf(database.get(organisationId)), conditions, page)),
      summariseCoverage: (organisationId, conditions) =>
        Effect.sync(() => coverageSummary(sourcesOf(database.get(organisationId)), conditions))
    })
  )
)
