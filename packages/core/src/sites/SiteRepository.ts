/**
 * Where sites are kept. Implement this port to bring your own database, then
 * run `siteRepositoryConformance` from `@solar-sites/testing` against it.
 *
 * @since 0.1.0
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Page, PageRequest } from "../persistence/Page.ts"
import type { RepositoryError } from "../persistence/RepositoryError.ts"
import type { ExpectedVersions, VersionMismatch } from "../persistence/Version.ts"
import type { PortfolioNotFound } from "./PortfolioReference.ts"
import type { Site, SiteConditions, SiteId, SiteMembers } from "./Site.ts"
import type { SiteNotFound } from "./SiteErrors.ts"

/**
 * The members to set; an absent one keeps its value.
 *
 * @category models
 * @since 0.1.0
 */
export type SiteChanges = { readonly [Member in keyof SiteMembers]?: SiteMembers[Member] }

/**
 * When a change happens, and on which versions it may.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChangeOptions {
  /** Becomes `updatedAt` of what changes. */
  readonly at: DateTime.Utc
  readonly expectedVersions?: ExpectedVersions
}

/**
 * Every method is one atomic step and looks only inside the given organisation.
 *
 * @category services
 * @since 0.1.0
 */
export class SiteRepository extends Context.Service<
  SiteRepository,
  {
    /**
     * Stores a new site and answers it. Its portfolio, if any, exists in the
     * organisation when the step ends. Where the organisation has a site of this
     * id already, nothing happens and that one is answered, as it is by now: of
     * several concurrent inserts of one id all answer the same site.
     */
    readonly insert: (
      organisationId: OrganisationId,
      site: Site
    ) => Effect.Effect<Site, OrganisationNotFound | PortfolioNotFound | RepositoryError>

    readonly findById: (
      organisationId: OrganisationId,
      siteId: SiteId
    ) => Effect.Effect<Option.Option<Site>, RepositoryError>

    /** A page of the sites for which all conditions hold, in ascending order of id, which is oldest first. */
    readonly list: (
      organisationId: OrganisationId,
      conditions: SiteConditions,
      page: PageRequest<SiteId>
    ) => Effect.Effect<Page<Site>, RepositoryError>

    /**
     * Sets the given members and counts the version up by one, or changes nothing
     * when all of them have these values already. Refuses in the order of the
     * error channel. Of two concurrent updates neither is lost: the later one
     * starts from what the earlier one left, and each answers the values it was
     * given.
     */
    readonly update: (
      organisationId: OrganisationId,
      siteId: SiteId,
      changes: SiteChanges,
      options: ChangeOptions
    ) => Effect.Effect<Site, SiteNotFound | PortfolioNotFound | VersionMismatch | RepositoryError>

    /** Removes the site. Of two concurrent deletes one succeeds, the other finds nothing. */
    readonly delete: (
      organisationId: OrganisationId,
      siteId: SiteId,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, SiteNotFound | VersionMismatch | RepositoryError>
  }
>()("@solar-sites/core/SiteRepository") {}
