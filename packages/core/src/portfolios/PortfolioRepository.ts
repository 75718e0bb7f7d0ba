/**
 * Lists of portfolios, and statements on all their sites. `Records` stores portfolios. Test an implementation
 * with `portfolioRepositoryConformance` of `@solar-sites/testing`.
 */
import { Context, type Effect } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { Reach } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { Page } from "../lists/Page.ts"
import type { SortedPageRequest } from "../lists/Sorting.ts"
import { byInstant, byText, type SortKeys } from "../lists/SortKey.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import type { CheckedVersion } from "../versions/CheckedVersion.ts"
import type { ChangeOptions } from "../versions/Version.ts"
import type { Portfolio, PortfolioConditions, PortfolioSort } from "./Portfolio.ts"

/**
 * Consecutive sites of one portfolio. `portfolio` is null when an earlier slice started the same
 * portfolio: its totals are computed once. A slice can carry the JSON of its sites (`withJson`).
 */
export interface PortfolioSlice {
  readonly portfolioId: PortfolioId
  readonly portfolio: Portfolio | null
  readonly sites: ReadonlyArray<Site>
}

/**
 * Position in a listing of portfolios with sites: after this site or, when `siteId` is null, after
 * the whole portfolio.
 */
export interface SlicePosition {
  readonly portfolioId: PortfolioId
  readonly siteId: SiteId | null
}

/** Members to set; an absent one keeps its value. */
export interface PortfolioChanges {
  readonly name?: string
  readonly externalId?: string | null
}

/** Orders of `PortfolioRepository.list`. */
export const portfolioSortKeys: SortKeys<Portfolio, PortfolioSort> = {
  createdAt: null,
  updatedAt: byInstant(({ updatedAt }) => updatedAt),
  name: byText(({ name }) => name)
}

/** A move of sites into a portfolio, or out of it into none. `siteIds` contain no duplicates. */
export interface SiteMove {
  readonly portfolioId: PortfolioId
  readonly siteIds: ReadonlyArray<SiteId>
  readonly direction: "into" | "outOf"
}

/**
 * Result of `moveSites`. No site is moved when one is missing, when they are too large together, or when the
 * portfolio has another version than expected.
 */
export interface MovedSites extends CheckedVersion {
  /** Sites that are not there or, in a move out of the portfolio, not in it. In any order. */
  readonly missing: ReadonlyArray<SiteId>
  /** True when the sites to move into the portfolio have attributes of more than `MaximumPageBytes` together. */
  readonly areTooLarge: boolean
  /** The sites that are in the portfolio after a move into it, in the order of `siteIds`. Otherwise empty. */
  readonly sites: ReadonlyArray<Site>
}

/** The version is that of the portfolio. */
type MoveOptions = ChangeOptions & { readonly origin: EventOrigin }

/**
 * Every method is one atomic step within the given reach. A change refuses nothing: rules make refusals
 * of what it found, null without a portfolio. Its events are part of its step.
 */
export class PortfolioRepository extends Context.Service<
  PortfolioRepository,
  {
    /**
     * A page of the portfolios that meet all conditions, in ascending order of id (oldest first) or
     * in the requested order. Each of the `searchedWords` of `q` occurs in the `searchedText` of
     * name and external id.
     */
    readonly list: (
      reach: Reach,
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
      reach: Reach,
      piece: { readonly after: SlicePosition | null; readonly limit: number }
    ) => Effect.Effect<Page<PortfolioSlice>, RepositoryError>

    /**
     * Deletes the portfolio, when it has an expected version. Its sites stay without a portfolio, which
     * counts as a change of each site. Its requirements are removed, which counts as a change of the list.
     */
    readonly delete: (
      organisationId: OrganisationId,
      portfolioId: PortfolioId,
      options: MoveOptions
    ) => Effect.Effect<CheckedVersion | null, RepositoryError>

    /**
     * Moves the sites: all or none. Sites that are in the portfolio already stay unchanged by a move into
     * it; the others increment their version. After two concurrent moves a site is in exactly one portfolio.
     * The portfolio does not change. Null when the portfolio is out of reach.
     */
    readonly moveSites: (
      reach: Reach,
      move: SiteMove,
      options: MoveOptions
    ) => Effect.Effect<MovedSites | null, RepositoryError>
  }
>()("@solar-sites/core/PortfolioRepository") {}
