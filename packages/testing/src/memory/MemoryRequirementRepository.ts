/** `RequirementRepository` in memory. */
import {
  type CoverageSources,
  coverageSummary,
  documentKind,
  documentRequirements,
  pageOfCoverage,
  type Reach,
  RequirementRepository,
  reachParts,
  requirementKind,
  siteKind,
  sourcesWithin
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, recordsOf } from "./MemoryDatabase.ts"

/** What the coverage of a reach is computed from. */
export const sourcesOf = (database: MemoryDatabase["Service"], reach: Reach): CoverageSources => {
  const owner = database.get(reachParts(reach).organisationId)
  return sourcesWithin(reach, {
    requirements: documentRequirements(null, recordsOf(owner, requirementKind).values()).requirements,
    sites: recordsOf(owner, siteKind).values(),
    documents: recordsOf(owner, documentKind).values()
  })
}

export const layer: Layer.Layer<RequirementRepository, never, MemoryDatabase> = Layer.effect(
  RequirementRepository,
  Effect.map(MemoryDatabase, (database) =>
    RequirementRepository.of({
      listCoverage: (reach, conditions, page) =>
        Effect.sync(() => pageOfCoverage(sourcesOf(database, reach), conditions, page)),
      summariseCoverage: (reach, conditions) =>
        Effect.sync(() => coverageSummary(sourcesOf(database, reach), conditions))
    })
  )
)
