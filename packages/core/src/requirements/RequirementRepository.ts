/**
 * Port for the storage of requirements and for the coverage computed from them. Test an
 * implementation with `requirementRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect } from "effect"
import type { CalendarDate } from "../input/CalendarDate.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { PageRequest } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { ChangeOptions, VersionMismatch } from "../persistence/Version.ts"
import type { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import type { SiteId } from "../sites/Site.ts"
import type { DocumentRequirement, DocumentRequirements } from "./Requirement.ts"
import type { CoverageSummary, ListCoverage, SiteCoverage } from "./SiteCoverage.ts"

/**
 * Conditions of the coverage of sites, without paging. `state` and `documentType` hold for a site
 * with one item that fulfils both.
 *
 * @category models
 * @since 0.1.0
 */
export type CoverageConditions = Omit<ListCoverage, "limit" | "cursor" | "asOf"> & { readonly asOf: CalendarDate }

/**
 * A page of the coverage of sites. `next` is the position to go on from, null when nothing follows.
 *
 * @category models
 * @since 0.1.0
 */
export interface CoveragePage {
  readonly items: ReadonlyArray<SiteCoverage>
  readonly next: SiteId | null
}

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
     * its order included. `requirements` contain no duplicates. `PortfoliosNotFound` names each
     * missing portfolio once, in their order. Refuses in the order of the error channel.
     */
    readonly replace: (
      organisationId: OrganisationId,
      requirements: ReadonlyArray<DocumentRequirement>,
      options: ChangeOptions
    ) => Effect.Effect<
      DocumentRequirements,
      PortfoliosNotFound | VersionMismatch | OrganisationNotFound | RepositoryError
    >

    /**
     * A page of the sites that meet all conditions, in ascending order of id (oldest first), each
     * with all its items. The page may hold fewer sites than `limit`, even none, although more
     * follow: with `state` or `documentType` an adapter may examine a part of the sites at a time.
     *
     * The state of a document on the day `asOf`, the first that applies: expired (`validUntil` is
     * before), not_yet_valid (`validFrom` is after), expiring (`validUntil` is at most
     * `expiringWithinDays` days after), valid; but missing without a `validUntil` that the
     * requirement demands. Of several current documents of a type the best counts, in the order
     * valid, expiring, not_yet_valid, expired, missing; then the latest `validUntil` (null is the
     * latest); then the greatest id. Without a current document a pending one counts
     * that has no successor, chosen alike.
     */
    readonly listCoverage: (
      organisationId: OrganisationId,
      conditions: CoverageConditions,
      page: PageRequest<SiteId>
    ) => Effect.Effect<CoveragePage, RepositoryError>

    /**
     * Numbers of sites, all or those of a portfolio. The document types are those of the
     * requirements that can apply to these sites, in their order.
     */
    readonly summariseCoverage: (
      organisationId: OrganisationId,
      conditions: Pick<CoverageConditions, "asOf" | "portfolioId">
    ) => Effect.Effect<Omit<CoverageSummary, "asOf">, RepositoryError>
  }
>()("@solar-sites/core/RequirementRepository") {}
