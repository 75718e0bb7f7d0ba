/**
 * Portfolios with their sites, in bounded pieces.
 */
import type { OrganisationId, PortfolioId, PortfolioRepository, PortfolioSlice } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { type PortfolioRow, selectPortfolios, toPortfolio } from "../tables/PortfolioRow.ts"
import { portfolioIdOf, type SiteRow, siteJson, toSite } from "../tables/SiteRow.ts"
import { reading } from "./PgJsonStatement.ts"

interface Piece {
  readonly hasMore: boolean
  readonly portfolios: ReadonlyArray<PortfolioRow> | null
  readonly sites: ReadonlyArray<SiteRow>
}

/**
 * `rows` selects portfolio and site of one row more than there is room for. Each
 * portfolio that begins here, for which `begins` holds, stands in the answer once.
 */
const pieceOf = (schema: string, rows: string, begins: string): string => `
  with found as materialized (${rows}),
  kept as materialized (select * from found order by portfolio_id, id limit $2::int)
  select concat(
    '{"hasMore":', (select to_json(count(*) > $2::int) from found),
    ',"portfolios":', (select coalesce(json_agg(x order by x.id)::text, 'null') from (
      ${selectPortfolios(schema, `${schema}.portfolio`)}
      where p.organisation_id = $1::uuid and p.id in (select portfolio_id from kept) ${begins}
    ) x),
    ',"sites":[', (select string_agg(${siteJson("s")}, ',' order by s.portfolio_id, s.id)
      from kept k join ${schema}.site s on s.organisation_id = $1::uuid and s.id = k.id),
    ']}'
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

/** Only a portfolio that goes on can have sites in the answer and not stand in it; that one comes first. */
const toSlices = (organisationId: OrganisationId, { portfolios, sites }: Piece): ReadonlyArray<PortfolioSlice> => {
  const sitesOf = Map.groupBy(sites, portfolioIdOf)
  const slice = (portfolioId: PortfolioId, portfolio: PortfolioRow | null): PortfolioSlice => ({
    portfolioId,
    portfolio: portfolio === null ? null : toPortfolio(portfolio),
    sites: (sitesOf.get(portfolioId) ?? []).map(toSite(organisationId))
  })
  const first = sites[0] === undefined ? null : portfolioIdOf(sites[0])
  const begun = (portfolios ?? []).map((row) => slice(row.id, row))
  const goesOn = first !== null && begun.every(({ portfolioId }) => portfolioId !== first)
  return goesOn ? [slice(first, null), ...begun] : begun
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
