/**
 * Port for the storage of sites. Test an implementation with `siteRepositoryConformance` of
 * `@solar-sites/testing`.
 */
import { Context, type DateTime, type Effect } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import type { Reach } from "../caller/Reach.ts"
import type { EventOrigin } from "../events/EventOrigin.ts"
import type { ExternalIdTaken } from "../ids/ExternalId.ts"
import type { Page } from "../lists/Page.ts"
import type { SortedPageRequest } from "../lists/Sorting.ts"
import { byInstant, byNumber, byText, type SortKeys } from "../lists/SortKey.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { CheckedVersion } from "../versions/CheckedVersion.ts"
import type { ExpectedVersions } from "../versions/Version.ts"
import type { Site, SiteId, SiteMembers, SiteSort } from "./Site.ts"
import type { BulkOutcome } from "./SiteBulkInput.ts"
import type { ClusterConditions, SiteClusters } from "./SiteClusters.ts"
import type { FoundSites } from "./SiteHealth.ts"

/** Members to set; an absent one keeps its value. */
export type SiteChanges = { readonly [Member in keyof SiteMembers]?: SiteMembers[Member] }

/** Orders of `SiteRepository.list`. */
export const siteSortKeys: SortKeys<Site, SiteSort> = {
  createdAt: null,
  updatedAt: byInstant(({ updatedAt }) => updatedAt),
  siteName: byText(({ siteName }) => siteName),
  capacityKw: byNumber(({ capacityKw }) => capacityKw)
}

/**
 * A site to store. `changes` are set on the site that has their external id; null refuses such a
 * site. `site`, which has the values of `changes`, is stored when there is none; null when the input lacks members of
 * a new site.
 */
export type SiteSave =
  | { readonly site: Site; readonly changes: null }
  | { readonly site: Site | null; readonly changes: SiteChanges & { readonly externalId: string } }

/** A site after it was saved. */
export interface SavedSite {
  readonly result: BulkOutcome
  readonly site: Site
}

/** Result of `saveMany`. Nothing is stored when one save is refused. */
export interface SavedSites {
  readonly organisationFound: boolean
  /** In a reach of portfolios: positions of sites that would be in none. Ascending. */
  readonly unplaced: ReadonlyArray<number>
  /** Positions of saves without a new site, and without a stored site of their external id. Ascending. */
  readonly incomplete: ReadonlyArray<number>
  /** Portfolios of saves that are not there, in the order of `saves`. */
  readonly missing: ReadonlyArray<PortfolioId>
  /** External ids that other sites have, of saves without changes or of sites out of reach, in the order of `saves`. */
  readonly taken: ReadonlyArray<ExternalIdTaken["conflicts"][number]>
  /** The stored sites have attributes of more than `MaximumPageBytes` together. */
  readonly areTooLarge: boolean
  /** Saved sites in the order of `saves`; empty when one save is refused. */
  readonly saved: ReadonlyArray<SavedSite>
}

/**
 * Statements on many sites, and on a site with its documents. Every method is one atomic step within the
 * given reach. It refuses nothing: rules make refusals of what it found. The events of a change (see
 * `EventRepository`) are part of its step: `site.created`, `site.updated`, or `site.deleted` with a
 * `document.deleted` per document.
 */
export class SiteRepository extends Context.Service<
  SiteRepository,
  {
    /**
     * Stores new sites and changes existing ones, all or none. A site that is stored under the id of its
     * input is returned as it is, as created, and nothing stands against it. Equal values change nothing.
     * Concurrent calls with one external id store one site. A dry run has the same result, and changes
     * nothing. `saves` have at most 1,000 items, with different ids and external ids.
     */
    readonly saveMany: (
      reach: Reach,
      saves: ReadonlyArray<SiteSave>,
      options: { readonly at: DateTime.Utc; readonly dryRun: boolean; readonly origin: EventOrigin }
    ) => Effect.Effect<SavedSites, RepositoryError>

    /**
     * Ids of the sites with these external ids, by external id; those that no site has are left out.
     * At most 1,000 different external ids. Work does not grow with the sites of the organisation.
     */
    readonly idsByExternalId: (
      reach: Reach,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, SiteId>, RepositoryError>

    /**
     * A page of the sites that meet all conditions, in ascending order of id (oldest first) or in
     * the requested order. Each of the `searchedWords` of `q` occurs in the `searchedText` of name,
     * address and external id. `health` is derived from the states of `RequirementRepository.listCoverage`.
     */
    readonly list: (
      reach: Reach,
      conditions: FoundSites,
      page: SortedPageRequest<SiteId, SiteSort>
    ) => Effect.Effect<Page<Site>, RepositoryError>

    /** Sites that meet all conditions, by the cells of the grid of `gridOf`. Work grows with the sites found. */
    readonly clusters: (reach: Reach, conditions: ClusterConditions) => Effect.Effect<SiteClusters, RepositoryError>

    /**
     * Deletes the site with its documents, when it has an expected version. Null without a site: one of
     * two concurrent deletes finds none.
     */
    readonly delete: (
      reach: Reach,
      siteId: SiteId,
      options: { readonly origin: EventOrigin; readonly expectedVersions?: ExpectedVersions }
    ) => Effect.Effect<CheckedVersion | null, RepositoryError>
  }
>()("@solar-sites/core/SiteRepository") {}
