/**
 * Port for the storage of portfolios and their sites. Test an implementation with
 * `portfolioRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { ExternalIdTaken } from "../persistence/ExternalId.ts"
import type { Page } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { SortedPageRequest } from "../persistence/Sorting.ts"
import { byInstant, byText, type SortKeys } from "../persistence/SortKey.ts"
import type { ChangeOptions, VersionMismatch } from "../persistence/Version.ts"
import type { PortfolioId, PortfolioNotFound } from "../sites/PortfolioReference.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import type { SiteNotFound, SitesTooLarge } from "../sites/SiteErrors.ts"
import type { Portfolio, PortfolioConditions, PortfolioSort } from "./Portfolio.ts"
import type { SiteNotInPortfolio } from "./PortfolioErrors.ts"

/**
 * Consecutive sites of one portfolio. `portfolio` is null when an earlier slice started the same
 * portfolio: its totals are computed once. A slice can carry the JSON of its sites (`withJson`).
 *
 * @category models
 * @since 0.1.0
 */
export interface PortfolioSlice {
  readonly portfolioId: PortfolioId
  readonly portfolio: Portfolio | null
  readonly sites: ReadonlyArray<Site>
}

/**
 * Position in a listing of portfolios with sites: after this site or, when `siteId` is null, after
 * the whole portfolio.
 *
 * @category models
 * @since 0.1.0
 */
export interface SlicePosition {
  readonly portfolioId: PortfolioId
  readonly siteId: SiteId | null
}

/**
 * Members to set; an absent one keeps its value.
 *
 * @category models
 * @since 0.1.0
 */
export interface PortfolioChanges {
  readonly name?: string
  readonly externalId?: string | null
}

/**
 * Orders of `PortfolioRepository.list`.
 *
 * @category models
 * @since 0.1.0
 */
export const portfolioSortKeys: SortKeys<Portfolio, PortfolioSort> = {
  createdAt: null,
  updatedAt: byInstant(({ updatedAt }) => updatedAt),
  name: byText(({ name }) => name)
}

/**
 * Every method is one atomic step within the given organisation. `portfolios`, their external ids
 * and `siteIds` contain no duplicates.
 *
 * @category services
 * @since 0.1.0
 */
export class PortfolioRepository extends Context.Service<
  PortfolioRepository,
  {
    /**
     * Stores new, empty portfolios: all or none. A portfolio with an existing id stays unchanged.
     * Returns the stored portfolios in request order. External ids that other portfolios of the
     * organisation have are refused, all of them in request order, also among concurrent calls: one
     * of them wins.
     */
    readonly insertMany: (
      organisationId: OrganisationId,
      portfolios: ReadonlyArray<Portfolio>
    ) => Effect.Effect<ReadonlyArray<Portfolio>, OrganisationNotFound | ExternalIdTaken | RepositoryError>

    readonly findById: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId
    ) => Effect.Effect<Option.Option<Portfolio>, RepositoryError>

    /**
     * A page of the portfolios that meet all conditions, in ascending order of id (oldest first) or
     * in the requested order. Each of the `searchedWords` of `q` occurs in the `searchedText` of
     * name and external id.
     */
    readonly list: (
      organisationId: OrganisationId,
      conditions: PortfolioConditions,
      page: SortedPageRequest<PortfolioId, PortfolioSort>
    ) => Effect.Effect<Page<Portfolio>, RepositoryError>

    /**
     * Portfolios with their sites, in ascending order of portfolio id, then site id. A piece has at
     * most `limit` rows: a site is a row, and so is a portfolio without sites. It ends early as a
     * page does (`PageRequest`). `hasMore` is true when rows follow. A portfolio that is cut at the
     * end of a piece continues in the next piece with `portfolio` null.
     */
    readonly listWithSites: (
      organisationId: OrganisationId,
      piece: { readonly after: SlicePosition | null; readonly limit: number }
    ) => Effect.Effect<Page<PortfolioSlice>, RepositoryError>

    /**
     * Sets the given members and increments the version; changes nothing when all values are equal.
     * Refuses in the order of the error channel.
     */
    readonly update: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      changes: PortfolioChanges,
      options: ChangeOptions
    ) => Effect.Effect<Portfolio, PortfolioNotFound | VersionMismatch | ExternalIdTaken | RepositoryError>

    /**
     * Deletes the portfolio. Its sites stay without a portfolio, which counts as a change of each
     * site.
     */
    readonly delete: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      options: ChangeOptions
    ) => Effect.Effect<void, PortfolioNotFound | VersionMismatch | RepositoryError>

    /**
     * Moves the sites into the portfolio: all or none. Sites already in it stay unchanged; the
     * others increment their version. Returns the sites in request order. After two concurrent
     * moves a site is in exactly one portfolio. Refuses in the order of the error channel.
     */
    readonly addSites: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      options: { readonly at: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<Site>, PortfolioNotFound | SiteNotFound | SitesTooLarge | RepositoryError>

    /**
     * Removes the sites from the portfolio: all, or none when one of them is not in it. The
     * expected versions are those of the portfolio, which does not change. `SiteNotInPortfolio`
     * comes before `VersionMismatch`.
     */
    readonly removeSites: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      options: ChangeOptions
    ) => Effect.Effect<void, PortfolioNotFound | SiteNotInPortfolio | VersionMismatch | RepositoryError>
  }
>()("@solar-sites/core/PortfolioRepository") {}
