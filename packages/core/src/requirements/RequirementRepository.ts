/**
 * Coverage of sites, computed from requirements and documents. `Records` stores requirements. Test an
 * implementation with `requirementRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect } from "effect"
import type { Reach } from "../caller/Reach.ts"
import type { CalendarDate } from "../input/CalendarDate.ts"
import type { PageRequest } from "../lists/Page.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { SiteId } from "../sites/Site.ts"
import type { CoverageSummary, ListCoverage, SiteCoverage } from "./SiteCoverage.ts"

/**
 * Conditions of the coverage of sites, without paging. `state` and `documentType` hold for a site
 * with one item that fulfils both.
 */
export type CoverageConditions = Omit<ListCoverage, "limit" | "cursor" | "asOf"> & { readonly asOf: CalendarDate }

/** A page of the coverage of sites. `next` is the position to go on from, null when nothing follows. */
export interface CoveragePage {
  readonly items: ReadonlyArray<SiteCoverage>
  readonly next: SiteId | null
}

/** Every method reads one snapshot of the given reach. */
export class RequirementRepository extends Context.Service<
  RequirementRepository,
  {
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
      reach: Reach,
      conditions: CoverageConditions,
      page: PageRequest<SiteId>
    ) => Effect.Effect<CoveragePage, RepositoryError>

    /**
     * Numbers of sites, all or those of a portfolio. The document types are those of the
     * requirements that can apply to these sites, in their order.
     */
    readonly summariseCoverage: (
      reach: Reach,
      conditions: Pick<CoverageConditions, "asOf" | "portfolioId">
    ) => Effect.Effect<Omit<CoverageSummary, "asOf">, RepositoryError>
  }
>()("@solar-sites/core/RequirementRepository") {}
