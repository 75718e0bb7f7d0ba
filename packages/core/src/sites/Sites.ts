/**
 * Rule service for sites.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import type { PortfolioRequired } from "../caller/Reach.ts"
import type { ExternalIdTaken } from "../ids/ExternalId.ts"
import { nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import { CoverImages, withoutOwnCover } from "./CoverImages.ts"
import { newSite } from "./NewSite.ts"
import type { PortfolioNotFound, PortfoliosNotFound } from "./PortfolioReference.ts"
import { type CreateSite, type ListSites, type Site, SiteId, type UpdateSite } from "./Site.ts"
import { makeBulk } from "./SiteBulk.ts"
import type { BulkSites, BulkSitesResult } from "./SiteBulkInput.ts"
import { SiteNotFound } from "./SiteErrors.ts"
import { siteOperations } from "./SiteOperations.ts"
import { siteRecords } from "./SiteRecords.ts"
import { SiteRepository, siteSortKeys } from "./SiteRepository.ts"

/**
 * Works in the organisation of the caller. Sites with an uploaded cover are returned with a signed
 * address.
 */
export class Sites extends Context.Service<
  Sites,
  Guarded<{
    readonly create: (
      input: CreateSite
    ) => Effect.Effect<
      Site,
      OrganisationNotFound | PortfolioNotFound | ExternalIdTaken | RepositoryError,
      CurrentCaller
    >

    /**
     * Creates 1–1,000 sites, or with the mode `upsert` changes the stored sites with their external
     * ids: all or none. Results are in the order of the input. A dry run has the same result and changes
     * nothing; its new sites have no ids. Stored sites with more than `MaximumPageBytes` of attributes
     * together are refused.
     */
    readonly bulk: (
      input: BulkSites
    ) => Effect.Effect<
      BulkSitesResult,
      | ValidationFailed
      | OrganisationNotFound
      | PortfolioRequired
      | PortfoliosNotFound
      | ExternalIdTaken
      | RepositoryError,
      CurrentCaller
    >

    readonly get: (siteId: SiteId) => Effect.Effect<Site, SiteNotFound | RepositoryError, CurrentCaller>

    /** Oldest first, or in the order of the query; complete without `limit`. */
    readonly list: (query?: ListSites) => Effect.Effect<List<Site>, ValidationFailed | RepositoryError, CurrentCaller>

    /** Sets the given members; equal values change nothing, the version included. */
    readonly update: (
      siteId: SiteId,
      changes: UpdateSite,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<
      Site,
      ValidationFailed | SiteNotFound | PortfolioNotFound | VersionMismatch | ExternalIdTaken | RepositoryError,
      CurrentCaller
    >

    readonly delete: (
      siteId: SiteId,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, SiteNotFound | VersionMismatch | RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/Sites") {
  /** Requires the ports of the application. */
  static readonly layer: Layer.Layer<Sites, never, Records | SiteRepository | CoverImages> = Layer.effect(
    Sites,
    Effect.gen(function* () {
      const commands = yield* siteRecords
      const repository = yield* SiteRepository
      const covers = yield* CoverImages
      const nextId = yield* nextIds

      const create = fnWithSpan("Sites.create")(function* (input: CreateSite) {
        const { organisationId } = yield* CurrentCaller
        const site = newSite(input, { id: SiteId.make(yield* nextId), organisationId, at: yield* DateTime.now })
        return yield* covers.withSignedCover(yield* commands.insert(organisationId, site))
      })

      const get = fnWithSpan("Sites.get")(function* (siteId: SiteId) {
        const { organisationId } = yield* CurrentCaller
        const site = yield* commands.findById(organisationId, siteId)
        if (Option.isNone(site)) return yield* new SiteNotFound({ siteIds: [siteId] })
        return yield* covers.withSignedCover(site.value)
      })

      const list = fnWithSpan("Sites.list")(function* (query: ListSites = {}) {
        const { organisationId } = yield* CurrentCaller
        return yield* listPages(
          "sites",
          query,
          (page) => Effect.flatMap(repository.list(organisationId, query, page), covers.withSignedCoverPage),
          siteSortKeys
        )
      })

      const update = fnWithSpan("Sites.update")(function* (
        siteId: SiteId,
        changes: UpdateSite,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        const effective = yield* withoutOwnCover(organisationId, siteId, changes)
        const site = yield* commands.update(organisationId, siteId, effective, {
          at: yield* DateTime.now,
          expectedVersions
        })
        return yield* covers.withSignedCover(site)
      })

      const remove = fnWithSpan("Sites.delete")(function* (siteId: SiteId, expectedVersions?: ExpectedVersions) {
        const { organisationId } = yield* CurrentCaller
        yield* commands.delete(organisationId, siteId, expectedVersions)
      })

      return Sites.of(
        guarded(siteOperations, {
          create,
          bulk: makeBulk({ commands, covers, nextId }),
          get,
          list,
          update,
          delete: remove
        })
      )
    })
  )
}
