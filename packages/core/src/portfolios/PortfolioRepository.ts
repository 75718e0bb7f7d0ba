/**
 * Where portfolios are kept, and who is in them. Implement this port to bring
 * your own database, then run `portfolioRepositoryConformance` from
 * `@solar-sites/testing` against it.
 *
 * @since 0.1.0
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Page, PageRequest } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { VersionMismatch } from "../persistence/Version.ts"
import type { PortfolioId, PortfolioNotFound } from "../sites/PortfolioReference.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import type { SiteNotFound } from "../sites/SiteErrors.ts"
import type { ChangeOptions } from "../sites/SiteRepository.ts"
import type { Portfolio } from "./Portfolio.ts"
import type { SiteNotInPortfolio } from "./PortfolioErrors.ts"

/**
 * Some consecutive sites of one portfolio. `portfolio` is null where one goes on
 * that an earlier piece has begun: its totals are not summed up again.
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
 * Where a listing of portfolios with their sites goes on: after this site of
 * this portfolio, or, when `siteId` is null, after the whole portfolio.
 *
 * @category models
 * @since 0.1.0
 */
export interface SlicePosition {
  readonly portfolioId: PortfolioId
  readonly siteId: SiteId | null
}

/**
 * Every method is one atomic step and looks only inside the given organisation.
 * `portfolios` and `siteIds` never hold an id twice.
 *
 * @category services
 * @since 0.1.0
 */
export class PortfolioRepository extends Context.Service<
  PortfolioRepository,
  {
    /**
     * Stores new, empty portfolios: all of them or, when it fails, none. Where the
     * organisation has a portfolio of one of the ids already, that one stays as it
     * is. Answers what is stored under the ids, in the order asked for.
     */
    readonly insertMany: (
      organisationId: OrganisationId,
      portfolios: ReadonlyArray<Portfolio>
    ) => Effect.Effect<ReadonlyArray<Portfolio>, OrganisationNotFound | RepositoryError>

    readonly findById: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId
    ) => Effect.Effect<Option.Option<Portfolio>, RepositoryError>

    /** A page in ascending order of id, which is oldest first. */
    readonly list: (
      organisationId: OrganisationId,
      page: PageRequest<PortfolioId>
    ) => Effect.Effect<Page<Portfolio>, RepositoryError>

    /**
     * The portfolios with their sites, in ascending order of portfolio and then of
     * site, in bounded pieces. A piece holds at most `limit` rows, where a site is
     * a row and so is a portfolio without sites; `hasMore` tells whether rows
     * follow. A portfolio that is cut at the end of a piece goes on, under its id
     * alone, at the start of the piece after its last site.
     */
    readonly listWithSites: (
      organisationId: OrganisationId,
      piece: { readonly after: SlicePosition | null; readonly limit: number }
    ) => Effect.Effect<Page<PortfolioSlice>, RepositoryError>

    /**
     * Renames the portfolio and counts its version up by one, or changes nothing
     * when it has this name already. Refuses in the order of the error channel.
     */
    readonly update: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      changes: { readonly name?: string },
      options: ChangeOptions
    ) => Effect.Effect<Portfolio, PortfolioNotFound | VersionMismatch | RepositoryError>

    /**
     * Removes the portfolio. Its sites stay and are in no portfolio afterwards,
     * which counts as a change of each of them.
     */
    readonly delete: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      options: ChangeOptions
    ) => Effect.Effect<void, PortfolioNotFound | VersionMismatch | RepositoryError>

    /**
     * Moves all the sites into the portfolio, or none. Sites that are in it
     * already do not change, the others count their version up by one. Answers
     * all of them, in the order asked for. Two concurrent moves of a site leave it
     * in exactly one portfolio.
     */
    readonly addSites: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      options: { readonly at: DateTime.Utc }
    ) => Effect.Effect<ReadonlyArray<Site>, PortfolioNotFound | SiteNotFound | RepositoryError>

    /**
     * Takes all the sites out of the portfolio, or none when one of them is not in it. The expected versions are those
     * of the portfolio, which does not change; a site that is not in it is told before another version.
     */
    readonly removeSites: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      options: ChangeOptions
    ) => Effect.Effect<void, PortfolioNotFound | SiteNotInPortfolio | VersionMismatch | RepositoryError>
  }
>()("@solar-sites/core/PortfolioRepository") {}
