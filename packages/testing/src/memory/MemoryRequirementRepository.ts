/**
 * `RequirementRepository` in memory.
 *
 * @since 0.1.0
 */
import {
  type ChangeOptions,
  type DocumentRequirement,
  DocumentRequirements,
  eventOrigins,
  isExpected,
  type OrganisationId,
  OrganisationNotFound,
  PortfoliosNotFound,
  RequirementRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Array as Arr, Effect, Equal, Layer } from "effect"
import { listCoverage, summariseCoverage } from "./MemoryCoverage.ts"
import { MemoryDatabase, ownedBy, ownerOf } from "./MemoryDatabase.ts"
import { recordEvents, requirementsEvent } from "./MemoryEventLog.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<RequirementRepository, never, MemoryDatabase> = Layer.effect(
  RequirementRepository,
  Effect.gen(function* () {
    const database = yield* MemoryDatabase
    const originOf = yield* eventOrigins

    const replace = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      requirements: ReadonlyArray<DocumentRequirement>,
      { expectedVersions }: ChangeOptions
    ) {
      const origin = yield* originOf(organisationId)
      const { portfolios, requirements: stored } = ownedBy(database, organisationId)
      const named = new Set(requirements.flatMap(({ portfolioId }) => (portfolioId === null ? [] : [portfolioId])))
      const portfolioIds = [...named].filter((id) => !portfolios.has(id))
      if (Arr.isArrayNonEmpty(portfolioIds)) return yield* new PortfoliosNotFound({ portfolioIds })
      const { version } = stored
      if (!isExpected(expectedVersions, version)) return yield* new VersionMismatch({ actual: version })
      if (Equal.equals(requirements, stored.requirements)) return stored
      const owner = ownerOf(database, organisationId)
      if (owner === undefined) return yield* new OrganisationNotFound({ organisationId })
      owner.requirements = new DocumentRequirements({ requirements, version: version + 1 })
      recordEvents(owner, origin, [requirementsEvent(organisationId, stored, owner.requirements)])
      return owner.requirements
    })

    return RequirementRepository.of({
      find: (organisationId) => Effect.sync(() => ownedBy(database, organisationId).requirements),
      replace,
      listCoverage: (organisationId, conditions, page) =>
        Effect.sync(() => listCoverage(ownedBy(database, organisationId), conditions, page)),
      summariseCoverage: (organisationId, conditions) =>
        Effect.sync(() => summariseCoverage(ownedBy(database, organisationId), conditions))
    })
  })
)
