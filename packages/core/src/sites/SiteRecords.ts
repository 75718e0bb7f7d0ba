/**
 * Commands about sites: `load → rule → commit`, and statements on sets with the rules about what they found.
 */
import { type DateTime, Effect, Option } from "effect"
import type { PortfolioRequired } from "../caller/Reach.ts"
import { eventOrigins } from "../events/EventOrigin.ts"
import type { ExternalIdTaken } from "../ids/ExternalId.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { ChangeOptions, ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import type { PortfolioNotFound, PortfoliosNotFound } from "./PortfolioReference.ts"
import { Site, type SiteId } from "./Site.ts"
import type { SiteNotFound, SitesIncomplete, SitesTooLarge } from "./SiteErrors.ts"
import { siteKind } from "./SiteKind.ts"
import { type SavedSite, type SiteChanges, SiteRepository, type SiteSave } from "./SiteRepository.ts"
import {
  assumedForCreation,
  createSite,
  deleteSite,
  findsOfCreation,
  findsOfUpdate,
  saveSites,
  updateSite
} from "./SiteRules.ts"

/** Commands about sites. Each is one atomic step within the given organisation, with its event. */
export interface SiteCommands {
  /**
   * Stores a new site and returns it. Its portfolio exists in the organisation when the step
   * ends. When the organisation already has a site with this id, nothing changes and the stored
   * site is returned: concurrent inserts of one id all return the same site. An external id that
   * another site of the organisation has is refused, also among concurrent calls: one of them
   * wins. Refuses in the order of the error channel.
   */
  readonly insert: (
    organisationId: OrganisationId,
    site: Site
  ) => Effect.Effect<Site, OrganisationNotFound | PortfolioNotFound | ExternalIdTaken | RepositoryError>

  readonly findById: (
    organisationId: OrganisationId,
    siteId: SiteId
  ) => Effect.Effect<Option.Option<Site>, RepositoryError>

  /**
   * Sets the given members and increments the version; changes nothing when all values are equal.
   * Refuses in the order of the error channel. Concurrent updates are serialised: none is lost,
   * and each returns the values that it set. `attributes` with the same values are equal in any
   * order.
   */
  readonly update: (
    organisationId: OrganisationId,
    siteId: SiteId,
    changes: SiteChanges,
    options: ChangeOptions
  ) => Effect.Effect<Site, SiteNotFound | PortfolioNotFound | VersionMismatch | ExternalIdTaken | RepositoryError>

  /**
   * Stores new sites and changes existing ones, all or none (`SiteRepository.saveMany`). Refuses in the
   * order of the error channel, each time all conflicts in the order of `saves`.
   */
  readonly saveMany: (
    organisationId: OrganisationId,
    saves: ReadonlyArray<SiteSave>,
    options: { readonly at: DateTime.Utc; readonly dryRun: boolean }
  ) => Effect.Effect<
    ReadonlyArray<SavedSite>,
    | OrganisationNotFound
    | PortfolioRequired
    | SitesIncomplete
    | PortfoliosNotFound
    | ExternalIdTaken
    | SitesTooLarge
    | RepositoryError
  >

  /** Deletes the site with its documents. */
  readonly delete: (
    organisationId: OrganisationId,
    siteId: SiteId,
    expectedVersions?: ExpectedVersions
  ) => Effect.Effect<void, SiteNotFound | VersionMismatch | RepositoryError>
}

export const siteRecords: Effect.Effect<SiteCommands, never, Records | SiteRepository> = Effect.gen(function* () {
  const records = yield* Records
  const repository = yield* SiteRepository
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)

  return {
    insert: (organisationId, given) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const site = makeUnchecked(Site, { ...given, organisationId })
        const rule = createSite(site, origin)
        const command = { operation: "SiteRepository.insert", organisationId, finds: findsOfCreation(site), rule }
        return deciding.create(command, assumedForCreation(site))
      }),

    update: (organisationId, siteId, changes, options) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const command = { organisationId, siteId, changes, ...options }
        return deciding.update(siteKind, siteId, {
          operation: "SiteRepository.update",
          organisationId,
          finds: findsOfUpdate(command),
          rule: updateSite(command, origin)
        })
      }),

    findById: (organisationId, siteId) =>
      Effect.map(
        records.load("SiteRepository.findById", organisationId, [{ kind: siteKind, by: "id", values: [siteId] }]),
        (found) => Option.map(Option.fromNullOr(found.byId(siteKind, siteId)), ({ record }) => record)
      ),

    saveMany: Effect.fnUntraced(function* (organisationId, saves, options) {
      const origin = yield* originOf(organisationId)
      const found = yield* repository.saveMany(organisationId, saves, { ...options, origin })
      return yield* Effect.fromResult(saveSites(organisationId)(found))
    }),

    delete: Effect.fnUntraced(function* (organisationId, siteId, expectedVersions) {
      const origin = yield* originOf(organisationId)
      const found = yield* repository.delete(organisationId, siteId, { origin, expectedVersions })
      yield* Effect.fromResult(deleteSite(siteId)(found))
    })
  }
})
