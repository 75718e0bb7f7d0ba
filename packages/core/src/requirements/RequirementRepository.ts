/**
 * Port for the storage of requirements and for the coverage computed from them. Test an
 * implementation with `requirementRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { VersionMismatch } from "../persistence/Version.ts"
import type { PortfolioNotFound } from "../sites/PortfolioReference.ts"
import type { ChangeOptions } from "../sites/SiteRepository.ts"
import type { DocumentRequirement, DocumentRequirements } from "./Requirement.ts"

/**
 * Every method is one atomic step within the given organisation.
 *
 * When a portfolio is deleted (`PortfolioRepository.delete`), its requirements are removed in the
 * same step. This increments the version of a list that had any.
 *
 * @category services
 * @since 0.1.0
 */
export class RequirementRepository extends Context.Service<
  RequirementRepository,
  {
    /** An empty list of version 0 where nothing is stored. */
    readonly find: (organisationId: OrganisationId) => Effect.Effect<DocumentRequirements, RepositoryError>

    /**
     * Replaces the whole list and increments its version; changes nothing when the list is equal,
     * its order included. `requirements` contain no duplicates. `PortfolioNotFound` names the first
     * missing portfolio. Refuses in the order of the error channel.
     */
    readonly replace: (
      organisationId: OrganisationId,
      requirements: ReadonlyArray<DocumentRequirement>,
      options: ChangeOptions
    ) => Effect.Effect<
      DocumentRequirements,
      PortfolioNotFound | VersionMismatch | OrganisationNotFound | RepositoryError
    >
  }
>()("@solar-sites/core/RequirementRepository") {}
