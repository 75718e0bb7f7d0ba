/**
 * Rule service for portfolios.
 */
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import { PortfolioId } from "../caller/PortfolioId.ts"
import type { ExternalIdTaken } from "../ids/ExternalId.ts"
import { nextIds } from "../ids/IdGenerator.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { listPages } from "../lists/List.ts"
import type { List } from "../lists/Page.ts"
import { jsonOf } from "../lists/PageJson.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import { CoverImages } from "../sites/CoverImages.ts"
import { PortfolioNotFound } from "../sites/PortfolioReference.ts"
import type { Site, SiteId } from "../sites/Site.ts"
import { type SiteNotFound, tooLargeAt } from "../sites/SiteErrors.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import type { ExpectedVersions, VersionMismatch } from "../versions/Version.ts"
import {
  type CreatePortfolio,
  type CreatePortfolios,
  type ListPortfolios,
  type ListPortfoliosWithSites,
  Portfolio,
  type PortfolioWithSites,
  type UpdatePortfolio
} from "./Portfolio.ts"
import type { SiteNotInPortfolio } from "./PortfolioErrors.ts"
import { collectSlices, type PortfolioPart, streamSlices } from "./PortfolioListing.ts"
import { portfolioOperations } from "./PortfolioOperations.ts"
import { portfolioRecords } from "./PortfolioRecords.ts"
import { PortfolioRepository, portfolioSortKeys } from "./PortfolioRepository.ts"

/** Works in the organisation of the caller. */
export class Portfolios extends Context.Service<
  Portfolios,
  Guarded<{
    readonly create: (
      input: CreatePortfolio
    ) => Effect.Effect<Portfolio, OrganisationNotFound | ExternalIdTaken | RepositoryError, CurrentCaller>

    /** All or none; returns the portfolios in request order. */
    readonly createMany: (
      inputs: CreatePortfolios
    ) => Effect.Effect<
      ReadonlyArray<Portfolio>,
      OrganisationNotFound | ExternalIdTaken | RepositoryError,
      CurrentCaller
    >

    readonly get: (
      portfolioId: PortfolioId
    ) => Effect.Effect<Portfolio, PortfolioNotFound | RepositoryError, CurrentCaller>

    /** Oldest first, or in the order of the query; complete without `limit`. */
    readonly list: (
      query?: ListPortfolios
    ) => Effect.Effect<List<Portfolio>, ValidationFailed | RepositoryError, CurrentCaller>

    /** Portfolios with all their sites; complete without `limit`. */
    readonly listWithSites: (
      query?: ListPortfoliosWithSites
    ) => Effect.Effect<List<PortfolioWithSites>, ValidationFailed | RepositoryError, CurrentCaller>

    /** The same listing as a stream, with bounded memory. */
    readonly streamWithSites: (
      query?: ListPortfoliosWithSites
    ) => Stream.Stream<PortfolioPart, ValidationFailed | RepositoryError, CurrentCaller>

    /** Sets the given members; equal values change nothing, the version included. */
    readonly update: (
      portfolioId: PortfolioId,
      changes: UpdatePortfolio,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<
      Portfolio,
      PortfolioNotFound | VersionMismatch | ExternalIdTaken | RepositoryError,
      CurrentCaller
    >

    /** The sites stay without a portfolio. */
    readonly delete: (
      portfolioId: PortfolioId,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, PortfolioNotFound | VersionMismatch | RepositoryError, CurrentCaller>

    /**
     * Moves sites in: all or none. Returns each site once, in request order. A repetition changes
     * nothing. Sites with more than `MaximumPageBytes` of attributes together are refused.
     */
    readonly addSites: (
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>
    ) => Effect.Effect<
      ReadonlyArray<Site>,
      ValidationFailed | PortfolioNotFound | SiteNotFound | RepositoryError,
      CurrentCaller
    >

    /** Removes sites: all or none. `expectedVersions` are those of the portfolio. */
    readonly removeSites: (
      portfolioId: PortfolioId,
      siteIds: ReadonlyArray<SiteId>,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<void, PortfolioNotFound | SiteNotInPortfolio | VersionMismatch | RepositoryError, CurrentCaller>
  }>
>()("@solar-sites/core/Portfolios") {
  /** Requires the ports of the application. */
  static readonly layer: Layer.Layer<Portfolios, never, Records | PortfolioRepository | CoverImages> = Layer.effect(
    Portfolios,
    Effect.gen(function* () {
      const commands = yield* portfolioRecords
      const repository = yield* PortfolioRepository
      const covers = yield* CoverImages
      const nextId = yield* nextIds

      const make = (organisationId: OrganisationId, { externalId = null, name }: CreatePortfolio, at: DateTime.Utc) =>
        Effect.map(nextId, (id) => {
          const initial = { siteCount: 0, capacityKw: 0, createdAt: at, updatedAt: at, version: 1 }
          return new Portfolio({ id: PortfolioId.make(id), organisationId, name, ...initial, externalId })
        })

      const createMany = fnWithSpan("Portfolios.createMany")(function* (inputs: CreatePortfolios) {
        const { organisationId } = yield* CurrentCaller
        const at = yield* DateTime.now
        const portfolios = yield* Effect.forEach(inputs, (input) => make(organisationId, input, at))
        return yield* commands.insertMany(organisationId, portfolios)
      })

      const create = fnWithSpan("Portfolios.create")(function* (input: CreatePortfolio) {
        const [portfolio] = yield* createMany([input])
        return portfolio ?? (yield* Effect.die(new Error("the creation returned no portfolio.")))
      })

      const get = fnWithSpan("Portfolios.get")(function* (portfolioId: PortfolioId) {
        const { organisationId } = yield* CurrentCaller
        const portfolio = yield* commands.findById(organisationId, portfolioId)
        if (Option.isNone(portfolio)) return yield* new PortfolioNotFound({ portfolioId })
        return portfolio.value
      })

      const list = fnWithSpan("Portfolios.list")(function* (query: ListPortfolios = {}) {
        const { organisationId } = yield* CurrentCaller
        return yield* listPages(
          "portfolios",
          query,
          (page) => repository.list(organisationId, query, page),
          portfolioSortKeys
        )
      })

      const withSignedCoverPart = (part: PortfolioPart): Effect.Effect<PortfolioPart> =>
        // A part with JSON has no uploaded covers.
        part._tag === "Sites" && jsonOf(part) === undefined
          ? Effect.map(covers.withSignedCovers(part.sites), (sites) => ({ _tag: "Sites", sites }))
          : Effect.succeed(part)

      const streamWithSites = (query: ListPortfoliosWithSites = {}) =>
        Stream.unwrap(
          Effect.map(CurrentCaller, ({ organisationId }) =>
            streamSlices(query, (piece) => repository.listWithSites(organisationId, piece)).pipe(
              Stream.mapEffect(withSignedCoverPart)
            )
          )
        )

      const update = fnWithSpan("Portfolios.update")(function* (
        portfolioId: PortfolioId,
        changes: UpdatePortfolio,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        return yield* commands.update(organisationId, portfolioId, changes, {
          at: yield* DateTime.now,
          expectedVersions
        })
      })

      const remove = fnWithSpan("Portfolios.delete")(function* (
        portfolioId: PortfolioId,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        yield* commands.delete(organisationId, portfolioId, { at: yield* DateTime.now, expectedVersions })
      })

      const addSites = fnWithSpan("Portfolios.addSites")(function* (
        portfolioId: PortfolioId,
        siteIds: ReadonlyArray<SiteId>
      ) {
        const { organisationId } = yield* CurrentCaller
        const at = yield* DateTime.now
        const sites = yield* commands
          .addSites(organisationId, portfolioId, [...new Set(siteIds)], { at })
          .pipe(Effect.catchTag("SitesTooLarge", () => tooLargeAt("/siteIds")))
        return yield* covers.withSignedCovers(sites)
      })

      const removeSites = fnWithSpan("Portfolios.removeSites")(function* (
        portfolioId: PortfolioId,
        siteIds: ReadonlyArray<SiteId>,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        const at = yield* DateTime.now
        yield* commands.removeSites(organisationId, portfolioId, [...new Set(siteIds)], { at, expectedVersions })
      })

      return Portfolios.of(
        guarded(portfolioOperations, {
          create,
          createMany,
          get,
          list,
          listWithSites: (query) => collectSlices(streamWithSites(query)),
          streamWithSites,
          update,
          delete: remove,
          addSites,
          removeSites
        })
      )
    })
  )
}
