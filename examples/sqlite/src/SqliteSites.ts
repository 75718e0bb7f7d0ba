/**
 * `SiteRepository`, `PortfolioRepository` and `RequirementRepository` on SQLite. Lists read all records of an
 * organisation and are the first methods to give statements of their own when organisations grow.
 */
import {
  coverageSummary,
  documentKind,
  documentRequirements,
  MaximumPageBytes,
  type OrganisationId,
  PortfolioRepository,
  pageOfCoverage,
  pageOfPortfolios,
  pageOfSites,
  pageOfSlices,
  portfolioDeletion,
  portfolioKind,
  type Records,
  type RepositoryError,
  RequirementRepository,
  requirementKind,
  SiteRepository,
  siteDeletion,
  siteKind,
  siteMoving,
  siteSaving,
  withTotals
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { type RecordTable, recordTable } from "./RecordTable.ts"
import { SqliteDatabase } from "./SqliteDatabase.ts"

/** Makes a list of the records of an organisation. */
const reading =
  ({ step }: SqliteDatabase["Service"]) =>
  <A>(operation: string, organisationId: OrganisationId, read: (table: RecordTable, maximumBytes: number) => A) =>
    Effect.flatMap(
      MaximumPageBytes,
      (bytes): Effect.Effect<A, RepositoryError> =>
        step(operation, (statements) => read(recordTable(statements, organisationId), bytes))
    )

const sites = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const read = reading(yield* SqliteDatabase)

    return SiteRepository.of({
      ...(yield* siteSaving),
      ...(yield* siteDeletion),
      list: (organisationId, conditions, page) =>
        read("SiteRepository.list", organisationId, ({ records }, bytes) =>
          pageOfSites(records(siteKind), conditions, page, bytes)
        )
    })
  })
)

const portfolios = Layer.effect(
  PortfolioRepository,
  Effect.gen(function* () {
    const read = reading(yield* SqliteDatabase)

    return PortfolioRepository.of({
      ...(yield* siteMoving),
      ...(yield* portfolioDeletion),
      list: (organisationId, conditions, page) =>
        read("PortfolioRepository.list", organisationId, ({ records }, bytes) => {
          const { hasMore, items } = pageOfPortfolios(records(portfolioKind), conditions, page, bytes)
          const members = Map.groupBy(records(siteKind), ({ portfolioId }) => portfolioId)
          return { items: items.map((portfolio) => withTotals(portfolio, members.get(portfolio.id) ?? [])), hasMore }
        }),
      listWithSites: (organisationId, piece) =>
        read("PortfolioRepository.listWithSites", organisationId, ({ records }, bytes) =>
          pageOfSlices(records(portfolioKind), records(siteKind), piece, bytes)
        )
    })
  })
)

const sourcesOf = ({ records }: RecordTable) => ({
  requirements: documentRequirements(null, records(requirementKind)).requirements,
  sites: records(siteKind),
  documents: records(documentKind)
})

const requirements = Layer.effect(
  RequirementRepository,
  Effect.map(SqliteDatabase, (database) => {
    const read = reading(database)

    return RequirementRepository.of({
      listCoverage: (organisationId, conditions, page) =>
        read("RequirementRepository.listCoverage", organisationId, (table) =>
          pageOfCoverage(sourcesOf(table), conditions, page)
        ),
      summariseCoverage: (organisationId, conditions) =>
        read("RequirementRepository.summariseCoverage", organisationId, (table) =>
          coverageSummary(sourcesOf(table), conditions)
        )
    })
  })
)

export const layer: Layer.Layer<
  SiteRepository | PortfolioRepository | RequirementRepository,
  never,
  SqliteDatabase | Records
> = Layer.mergeAll(sites, portfolios, requirements)
