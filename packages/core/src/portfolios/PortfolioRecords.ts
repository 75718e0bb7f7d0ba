/**
 * Commands about portfolios: `load → rule → commit`, and statements on sets with the rules about what they found.
 */
import { type DateTime, Effect, Option } from "effect"
import type { PortfolioId } from "../caller/PortfolioId.ts"
import { eventOrigins } from "../events/EventOrigin.ts"
import type { ExternalIdTaken } from "../ids/ExternalId.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { makeUnchecked } from "../records/MakeUnchecked.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { PortfolioNotFound } from "../sites/PortfolioReference.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import type { SiteNotFound, SitesTooLarge } from "../sites/SiteErrors.ts"
import type { ChangeOptions, VersionMismatch } from "../versions/Version.ts"
import { Portfolio } from "./Portfolio.ts"
import type { SiteNotInPortfolio } from "./PortfolioErrors.ts"
import { portfolioKind } from "./PortfolioKind.ts"
import { type PortfolioChanges, PortfolioRepository } from "./PortfolioRepository.ts"
import {
  assumedForCreation,
  createPortfolios,
  findsOfCreation,
  findsOfUpdate,
  updatePortfolio
} from "./PortfolioRules.ts"
import { addSites, deletePortfolio, removeSites } from "./PortfolioSiteRules.ts"

/**
 * Commands about portfolios. Each is one atomic step within the given organisation, with its events, and refuses
 * in the order of the error channel. `portfolios`, their external ids and `siteIds` contain no duplicates.
 */
export interface PortfolioCommands {
  /**
   * Stores new, empty portfolios: all or none. A portfolio with an existing id stays unchanged. Returns the
   * stored portfolios in request order. External ids that other portfolios of the organisation have are refused,
   * all of them in request order, also among concurrent calls: one of them wins.
   */
  readonly insertMany: (
    organisationId: OrganisationId,
    portfolios: ReadonlyArray<Portfolio>
  ) => Effect.Effect<ReadonlyArray<Portfolio>, OrganisationNotFound | ExternalIdTaken | RepositoryError>

  readonly findById: (
    organisationId: OrganisationId,
    portfolioId: PortfolioId
  ) => Effect.Effect<Option.Option<Portfolio>, RepositoryError>

  /** Sets the given members and increments the version; changes nothing when all values are equal. */
  readonly update: (
    organisationId: OrganisationId,
    portfolioId: PortfolioId,
    changes: PortfolioChanges,
    options: ChangeOptions
  ) => Effect.Effect<Portfolio, PortfolioNotFound | VersionMismatch | ExternalIdTaken | RepositoryError>

  /** Deletes the portfolio (`PortfolioRepository.delete`). */
  readonly delete: (
    organisationId: OrganisationId,
    portfolioId: PortfolioId,
    options: ChangeOptions
  ) => Effect.Effect<void, PortfolioNotFound | VersionMismatch | RepositoryError>

  /** Moves sites into the portfolio, and returns them in request order (`PortfolioRepository.moveSites`). */
  readonly addSites: (
    organisationId: OrganisationId,
    portfolioId: PortfolioId,
    siteIds: ReadonlyArray<SiteId>,
    options: { readonly at: DateTime.Utc }
  ) => Effect.Effect<ReadonlyArray<Site>, PortfolioNotFound | SiteNotFound | SitesTooLarge | RepositoryError>

  /** Removes sites from the portfolio. The expected versions are those of the portfolio. */
  readonly removeSites: (
    organisationId: OrganisationId,
    portfolioId: PortfolioId,
    siteIds: ReadonlyArray<SiteId>,
    options: ChangeOptions
  ) => Effect.Effect<void, PortfolioNotFound | SiteNotInPortfolio | VersionMismatch | RepositoryError>
}

export const portfolioRecords: Effect.Effect<PortfolioCommands, never, Records | PortfolioRepository> = Effect.gen(
  function* () {
    const records = yield* Records
    const repository = yield* PortfolioRepository
    const originOf = yield* eventOrigins
    const deciding = makeDeciding(records)

    return {
      insertMany: (organisationId, given) =>
        Effect.flatMap(originOf(organisationId), (origin) => {
          const initial = { organisationId, siteCount: 0, capacityKw: 0 }
          const portfolios = given.map((portfolio) => makeUnchecked(Portfolio, { ...portfolio, ...initial }))
          const command = { organisationId, portfolios }
          return deciding.create(
            {
              operation: "PortfolioRepository.insertMany",
              organisationId,
              finds: findsOfCreation(command),
              rule: createPortfolios(command, origin)
            },
            assumedForCreation(command)
          )
        }),

      update: (organisationId, portfolioId, changes, options) =>
        Effect.flatMap(originOf(organisationId), (origin) => {
          const command = { portfolioId, changes, ...options }
          return deciding.update(portfolioKind, portfolioId, {
            operation: "PortfolioRepository.update",
            organisationId,
            finds: findsOfUpdate(command),
            rule: updatePortfolio(command, origin)
          })
        }),

      findById: (organisationId, portfolioId) =>
        Effect.map(
          records.load("PortfolioRepository.findById", organisationId, [
            { kind: portfolioKind, by: "id", values: [portfolioId] }
          ]),
          (found) => Option.map(Option.fromNullOr(found.byId(portfolioKind, portfolioId)), ({ record }) => record)
        ),

      delete: Effect.fnUntraced(function* (organisationId, portfolioId, options) {
        const origin = yield* originOf(organisationId)
        const found = yield* repository.delete(organisationId, portfolioId, { ...options, origin })
        yield* Effect.fromResult(deletePortfolio(portfolioId)(found))
      }),

      addSites: Effect.fnUntraced(function* (organisationId, portfolioId, siteIds, options) {
        const origin = yield* originOf(organisationId)
        const move = { portfolioId, siteIds, direction: "into" } as const
        const found = yield* repository.moveSites(organisationId, move, { ...options, origin })
        return yield* Effect.fromResult(addSites(portfolioId, siteIds)(found))
      }),

      removeSites: Effect.fnUntraced(function* (organisationId, portfolioId, siteIds, options) {
        const origin = yield* originOf(organisationId)
        const move = { portfolioId, siteIds, direction: "outOf" } as const
        const found = yield* repository.moveSites(organisationId, move, { ...options, origin })
        yield* Effect.fromResult(removeSites(portfolioId, siteIds)(found))
      })
    }
  }
)
