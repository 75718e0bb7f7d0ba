/**
 * Portfolios with their sites, in bounded pieces.
 */
import type { PortfolioRepository, PortfolioSlice } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "./PgClient.ts"
import { reading } from "./PgStatement.ts"
import { type PortfolioRow, selectPortfolios, toPortfolio } from "./PortfolioRow.ts"
import { type SiteRow, siteColumns, toSite } from "./SiteRow.ts"

interface Piece {
  readonly hasMore: boolean
  readonly portfolios: ReadonlyArray<PortfolioRow> | null
  readonly sites: ReadonlyArray<SiteRow> | null
}

/**
 * `rows` selects portfolio and site of one row more than there is room for. Each
 * portfolio stands in the answer once, however many of its sites do.
 */
const pieceOf = (schema: string, rows: string): string => `
  with found as materialized (${rows}),
  kept as materialized (select * from found order by portfolio_id, id limit $2::int)
  select json_build_object(
    'hasMore', (select count(*) > $2::int from found),
    'portfolios', (select json_agg(x order by x.id) from (
      ${selectPortfolios(schema, `${schema}.portfolio`)}
      where p.organisation_id = $1::uuid and p.id in (select portfolio_id from kept)
    ) x),
    'sites', (select json_agg(x order by x."portfolioId", x.id) from (
      select ${siteColumns("s")} from kept k join ${schema}.site s on s.organisation_id = $1::uuid and s.id = k.id
    ) x)
  )::text`

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

const toSlices = ({ portfolios, sites }: Piece): ReadonlyArray<PortfolioSlice> => {
  const slices = new Map(
    (portfolios ?? []).map((row) => [
      row.id,
      { portfolio: toPortfolio(row), sites: [] as Array<PortfolioSlice["sites"][number]> }
    ])
  )
  for (const row of sites ?? []) if (row.portfolioId !== null) slices.get(row.portfolioId)?.sites.push(toSite(row))
  return [...slices.values()]
}

/** `PortfolioRepository.listWithSites`. */
export const makeListWithSites = (client: PgClient["Service"]): PortfolioRepository["Service"]["listWithSites"] => {
  const { schema } = client
  const piece = (rows: string) => reading<Piece>(client, "PortfolioRepository.listWithSites", pieceOf(schema, rows))
  const fromStart = piece(portfoliosAfter(schema, ""))
  const afterPortfolio = piece(portfoliosAfter(schema, "and p.id > $3::uuid"))
  const afterSite = piece(`(${restOfPortfolio(schema)}) union all (${portfoliosAfter(schema, "and p.id > $3::uuid")})`)

  return (organisationId, { after, limit }) => {
    const answer =
      after === null
        ? fromStart(organisationId, limit)
        : after.siteId === null
          ? afterPortfolio(organisationId, limit, after.portfolioId)
          : afterSite(organisationId, limit, after.portfolioId, after.siteId)
    return Effect.map(answer, (found) => ({
      items: found === null ? [] : toSlices(found),
      hasMore: found?.hasMore ?? false
    }))
  }
}
