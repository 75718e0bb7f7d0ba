/**
 * Port for the storage of sites. Test an implementation with `siteRepositoryConformance` of
 * `@solar-sites/testing`.
 */
import { Context, Data, type DateTime, type Effect } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { ExternalIdTaken } from "../persistence/ExternalId.ts"
import type { Page } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { SortedPageRequest } from "../persistence/Sorting.ts"
import { byInstant, byNumber, byText, type SortKeys } from "../persistence/SortKey.ts"
import type { ExpectedVersions, VersionMismatch } from "../persistence/Version.ts"
import type { BulkOutcome } from "./BulkSites.ts"
import type { PortfoliosNotFound } from "./PortfolioReference.ts"
import type { Site, SiteConditions, SiteId, SiteMembers, SiteSort } from "./Site.ts"
import type { SiteNotFound, SitesTooLarge } from "./SiteErrors.ts"

/**
 * Members to set; an absent one keeps its value.
 *
 * @category models
 * @since 0.1.0
 */
export type SiteChanges = { readonly [Member in keyof SiteMembers]?: SiteMembers[Member] }

/**
 * Orders of `SiteRepository.list`.
 *
 * @category models
 * @since 0.1.0
 */
export const siteSortKeys: SortKeys<Site, SiteSort> = {
  createdAt: null,
  updatedAt: byInstant(({ updatedAt }) => updatedAt),
  siteName: byText(({ siteName }) => siteName),
  capacityKw: byNumber(({ capacityKw }) => capacityKw)
}

/**
 * A site to store. `changes` are set on the site that has their external id; null refuses such a
 * site. `site` is stored when there is none; null when the input lacks members of a new site.
 *
 * @category models
 * @since 0.1.0
 */
export type SiteSave =
  | { readonly site: Site; readonly changes: null }
  | { readonly site: Site | null; readonly changes: SiteChanges & { readonly externalId: string } }

/**
 * A site after it was saved.
 *
 * @category models
 * @since 0.1.0
 */
export interface SavedSite {
  readonly result: BulkOutcome
  readonly site: Site
}

/**
 * No site has the external ids of the inputs at these positions, and they make no new site.
 *
 * @category errors
 * @since 0.1.0
 */
export class SitesIncomplete extends Data.TaggedError("SitesIncomplete")<{
  readonly positions: ReadonlyArray<number>
}> {}

/**
 * Every method is one atomic step within the given organisation. The events of a change (see
 * `EventRepository`) are part of its step: `site.created`, `site.updated`, or `site.deleted` with a
 * `document.deleted` per document.
 *
 * @category services
 * @since 0.1.0
 */
export class SiteRepository extends Context.Service<
  SiteRepository,
  {
    /**
     * Stores new sites and changes existing ones, all or none, with the promises of `insert` and
     * `update`. Returns the sites in the order of `saves`. A site that is stored under the id of its
     * input is returned as it is, as created. Equal values change nothing. Refuses in the order of
     * the error channel, each time all conflicts in the order of `saves`. Concurrent calls with one
     * external id store one site. A dry run has the same result, and changes nothing. `saves` have at
     * most 1,000 items, with different ids and external ids.
     */
    readonly saveMany: (
      organisationId: OrganisationId,
      saves: ReadonlyArray<SiteSave>,
      options: { readonly at: DateTime.Utc; readonly dryRun: boolean }
    ) => Effect.Effect<
      ReadonlyArray<SavedSite>,
      OrganisationNotFound | SitesIncomplete | PortfoliosNotFound | ExternalIdTaken | SitesTooLarge | RepositoryError
    >

    /**
     * Ids of the sites with these external ids, by external id; those that no site has are left out.
     * At most 1,000 different external ids. Work does not grow with the sites of the organisation.
     */
    readonly idsByExternalId: (
      organisationId: OrganisationId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, SiteId>, RepositoryError>

    /**
     * A page of the sites that meet all conditions, in ascending order of id (oldest first) or in
     * the requested order. Each of the `searchedWords` of `q` occurs in the `searchedText` of name,
     * address and external id.
     */
    readonly list: (
      organisationId: OrganisationId,
      conditions: SiteConditions,
      page: SortedPageRequest<SiteId, SiteSort>
    ) => Effect.Effect<Page<Site>, RepositoryError>

    /**
     * Deletes the site with its documents. One of two concurrent deletes succeeds; the other fails
     * with `SiteNotFound`.
     */
    readonly delete: (
      organisationId: OrganisationId,
      siteId: SiteId,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, SiteNotFound | VersionMismatch | RepositoryError>
  }
>()("@solar-sites/core/SiteRepository") {}
