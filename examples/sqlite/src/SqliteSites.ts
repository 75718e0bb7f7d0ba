/**
 * `SiteRepository`, `PortfolioRepository` and `RequirementRepository` on SQLite. Lists read all records of an
 * organisation and are the first methods to give statements of their own when organisations grow.
 */
import {
  clustersOfSites,
  coverageSummary,
  documentKind,
  documentRequirements,
  type HealthOnDay,
  MaximumPageBytes,
  PortfolioRepository,
  pageOfCoverage,
  pageOfPortfolios,
  pageOfSites,
  pageOfSlices,
  portfolioDeletion,
  portfolioKind,
  portfoliosWithin,
  type Reach,
  type Records,
  type RepositoryError,
  RequirementRepository,
  reachParts,
  requirementKind,
  SiteRepository,
  siteDeletion,
  siteKind,
  siteMoving,
  siteSaving,
  sitesOfHealth,
  sitesWithin,
  sourcesWithin,
  withTotals
} from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { type RecordTable, recordTable } from "./RecordTable.ts"
import { SqliteDatabase } from "./SqliteDatabase.ts"

/** Makes a list of the records of an organisation. */
const reading =
  ({ step }: SqliteDatabase["Service"]) =>
  <A>(operation: string, reach: Reach, read: (table: RecordTable, maximumBytes: number) => A) =>
    Effect.flatMap(
      MaximumPageBytes,
      (bytes): Effect.Effect<A, RepositoryError> =>
        step(operation, (statements) => read(recordTable(statements, reachParts(reach).organisationId), bytes))
    )

const sourcesOf = ({ records }: RecordTable, reach: Reach) =>
  sourcesWithin(reach, {
    requirements: documentRequirements(null, records(requirementKind)).requirements,
    sites: records(siteKind),
    documents: records(documentKind)
  })

const sitesOf = (table: RecordTable, reach: Reach, health: HealthOnDay | undefined) =>
  health === undefined ? sitesWithin(reach, table.records(siteKind)) : sitesOfHealth(sourcesOf(table, reach), health)

const sites = Layer.effect(
  SiteRepository,
  Effect.gen(function* () {
    const read = reading(yield* SqliteDatabase)

    return SiteRepository.of({
      ...(yield* siteSaving),
      ...(yield* siteDeletion),
      list: (reach, { health, ...conditions }, page) =>
        read("SiteRepository.list", reach, (table, bytes) =>
          pageOfSites(sitesOf(table, reach, health), conditions, page, bytes)
        ),
      clusters: (reach, { health, ...conditions }) =>
        read("SiteRepository.clusters", reach, (table) => clustersOfSites(sitesOf(table, reach, health), conditions))
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
      list: (reach, conditions, page) =>
        read("PortfolioRepository.list", reach, ({ records }, bytes) => {
          const portfolios = portfoliosWithin(reach, records(portfolioKind))
          const { hasMore, items } = pageOfPortfolios(portfolios, conditions, page, bytes)
          const members = Map.groupBy(records(siteKind), ({ portfolioId }) => portfolioId)
          return { items: items.map((portfolio) => withTotals(portfolio, members.get(portfolio.id) ?? [])), hasMore }
        }),
      listWithSites: (reach, piece) =>
        read("PortfolioRepository.listWithSites", reach, ({ records }, bytes) =>
          pageOfSlices(portfoliosWithin(reach, records(portfolioKind)), records(siteKind), piece, bytes)
        )
    })
  })
)

const requirements = Layer.effect(
  RequirementRepository,
  Effect.map(SqliteDatabase, (database) => {
    const read = reading(database)

    return RequirementRepository.of({
      listCoverage: (reach, conditions, page) =>
        read("RequirementRepository.listCoverage", reach, (table) =>
          pageOfCoverage(sourcesOf(table, reach), conditions, page)
        ),
      summariseCoverage: (reach, conditions) =>
        read("RequirementRepository.summariseCoverage", reach, (table) =>
          coverageSummary(sourcesOf(table, reach), conditions)
        )
    })
  })
)

export const layer: Layer.Layer<
  SiteRepository | PortfolioRepository | RequirementRepository,
  never,
  SqliteDatabase | Records
> = Layer.mergeAll(sites, portfolios, requirements)
