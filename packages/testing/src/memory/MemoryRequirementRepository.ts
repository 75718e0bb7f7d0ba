/** `RequirementRepository` in memory. */
import {
  type CoverageSources,
  coverageSummary,
  documentKind,
  documentRequirements,
  pageOfCoverage,
  RequirementRepository,
  requirementKind,
  siteKind
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { MemoryDatabase, type MemoryOrganisation, recordsOf } from "./MemoryDatabase.ts"

const sourcesOf = (owner: MemoryOrganisation | undefined): CoverageSources => ({
  requirements: documentRequirements(null, recordsOf(owner, requirementKind).values()).requirements,
  sites: recordsOf(owner, siteKind).values(),
  documents: recordsOf(owner, documentKind).values()
})

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
