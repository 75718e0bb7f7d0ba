/**
 * Portfolios with their sites, in pieces of bounded size.
 */
import type { OrganisationId, PortfolioId, PortfolioRepository, PortfolioSlice } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { type PortfolioRow, portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { type SiteRow, siteTable } from "../tables/SiteTable.ts"
import { reading } from "./PgJsonStatement.ts"

const idOf = portfolioTable.get("id")
const portfolioIdOf = siteTable.get("portfolioId")

interface Piece {
  readonly hasMore: boolean
  readonly portfolios: ReadonlyArray<PortfolioRow>
  readonly sites: ReadonlyArray<SiteRow>
}

/**
 * `rows` selects the ids of portfolio and site of one row more than the limit. Portfolios that begin
 * in this piece are in the answer once; `begins` is the condition for that.
 */
const pieceOf = (schema: string, rows: string, begins: string): string => `
  with found as materialized (${rows}),
  kept as materialized (select * from found order by portfolio_id, id limit $2::int)
  select concat(
    '{"hasMore":', (select to_json(count(*) > $2::int) from found),
    ',"portfolios":', (select coalesce(${portfolioTable.rows("x", "order by x.id")}, '[]') from (
      ${withTotals(schema, `${schema}.portfolio`)}
      where p.organisation_id = $1::uuid and p.id in (select portfolio_id from kept) ${begins}
    ) x),
    ',"sites":', (select coalesce(${siteTable.rows("s", "order by s.portfolio_id, s.id")}, '[]')
      from kept k join ${schema}.site s on s.organisation_id = $1::uuid and s.id = k.id),
    '}'
  )`

const portfoliosAfter = (schema: string, condition: string): string => `
  select p.id as portfolio_id, s.id
  from ${schema}.portfolio p left join lateral (
    select s.id from ${schema}.site s
    where s.organisation_id = p.organisation_id and s.portfolio_id = p.id
    order by s.id limit $2::int + 1
  ) s on true
  where p.organisation_id = $1::uuid ${condition}
  order by p.id, s.id limit $2::int + 1`

const restOfPortfolio = (schema: string): string => `
  select s.portfolio_id, s.id from ${schema}.site s
  where s.organisation_id = $1::uuid and s.portfolio_id = $3::uuid and s.id > $4::uuid
  order by s.id limit $2::int + 1`

/** Sites without their portfolio belong to the one that began in an earlier piece, which comes first. */
const toSlices = (organisationId: OrganisationId, { portfolios, sites }: Piece): ReadonlyArray<PortfolioSlice> => {
  const sitesOf = Map.groupBy(sites, portfolioIdOf)
  const [toPortfolio, toSite] = [portfolioTable.reader({ organisationId }), siteTable.reader({ organisationId })]
  const slice = (portfolioId: PortfolioId, portfolio: PortfolioRow | null): PortfolioSlice => ({
    portfolioId,
    portfolio: portfolio === null ? null : toPortfolio(portfolio),
    sites: (sitesOf.get(portfolioId) ?? []).map(toSite)
  })
  const first = sites[0] === undefined ? null : portfolioIdOf(sites[0])
  const begun = portfolios.map((row) => slice(idOf(row), row))
  const continues = first !== null && begun.every(({ portfolioId }) => portfolioId !== first)
  return continues ? [slice(first, null), ...begun] : begun
}

/** `PortfolioRepository.listWithSites`. */
export const makeListWithSites = (client: PgClient["Service"]): PortfolioRepository["Service"]["listWithSites"] => {
  const { schema } = client
  const later = "and p.id > $3::uuid"
  const piece = (rows: string, begins = "") =>
    reading<Piece>(client, "PortfolioRepository.listWithSites", pieceOf(schema, rows, begins))
  const fromStart = piece(portfoliosAfter(schema, ""))
  const afterPortfolio = piece(portfoliosAfter(schema, later))
  const afterSite = piece(`(${restOfPortfolio(schema)}) union all (${portfoliosAfter(schema, later)})`, later)

  return (organisationId, { after, limit }) => {
    const answer =
      after === null
        ? fromStart(organisationId, limit)
        : after.siteId === null
          ? afterPortfolio(organisationId, limit, after.portfolioId)
          : afterSite(organisationId, limit, after.portfolioId, after.siteId)
    return Effect.map(answer, (found) => ({
      items: found === null ? [] : toSlices(organisationId, found),
      hasMore: found?.hasMore ?? false
    }))
  }
}
