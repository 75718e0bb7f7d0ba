/**
 * Portfolios with their sites, in pieces of bounded size.
 */
import {
  jsonOf,
  MaximumPageBytes,
  type OrganisationId,
  type Portfolio,
  type PortfolioId,
  type PortfolioRepository,
  type PortfolioSlice,
  type Reach,
  reachParts,
  withJson
} from "@solar-sites/core"
import { Effect } from "effect"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { boundedPageText, pageOf, rowTexts, valueAt } from "../tables/PageText.ts"
import { type PortfolioRow, portfolioTable, withTotals } from "../tables/PortfolioTable.ts"
import { isShownAsStored, siteTable } from "../tables/SiteTable.ts"
import { uuidsIn } from "../tables/SqlValues.ts"
import { reachParameter } from "./PgConditions.ts"

const portfolioIdPosition = siteTable.positionOf("portfolioId")
// The value is the JSON of an id.
const portfolioIdOf = (site: string): PortfolioId => JSON.parse(valueAt(site, portfolioIdPosition))

interface Piece {
  readonly hasMore: boolean
  readonly portfolios: ReadonlyArray<PortfolioRow>
}

/**
 * `rows` selects the ids of portfolio and site of one row more than the limit. Portfolios that begin
 * in this piece are in the answer once; `begins` is the condition for that.
 */
const pieceOf = (rows: PgText | string, begins: string): PgText => sql`
  with found as materialized (${rows}),
  kept as materialized (select * from found order by portfolio_id, id limit $2::int)
  ${mainQuery} select concat(
    '{"hasMore":', (select to_json(count(*) > $2::int) from found),
    ',"portfolios":', (select coalesce(${portfolioTable.rows("x", "order by x.id")}, '[]') from (
      ${withTotals()}
      where p.organisation_id = $1::uuid and p.id in (select portfolio_id from kept) ${begins}
    ) x),
    '}'
  ) as piece, (
    ${boundedPageText(
      siteTable,
      sql`select s.* from kept k join ${table("site")} s on s.organisation_id = $1::uuid and s.id = k.id
       order by s.portfolio_id, s.id`,
      "$3::bigint"
    )}
  ) as sites`

// The reach of a piece, as a parameter behind those of its position.
const reached = (position: number): string => `= any (${uuidsIn(`$${position}::text`)})`

const portfoliosAfter = (condition: string): PgText => sql`
  select p.id as portfolio_id, s.id
  from ${table("portfolio")} p left join lateral (
    select s.id from ${table("site")} s
    where s.organisation_id = p.organisation_id and s.portfolio_id = p.id
    order by s.id limit $2::int + 1
  ) s on true
  where p.organisation_id = $1::uuid ${condition}
  order by p.id, s.id limit $2::int + 1`

const restOfPortfolio = (condition: string): PgText => sql`
  select s.portfolio_id, s.id from ${table("site")} s
  where s.organisation_id = $1::uuid and s.portfolio_id = $4::uuid and s.id > $5::uuid ${condition}
  order by s.id limit $2::int + 1`

/** Sites without their portfolio belong to the one that began in an earlier piece, which comes first. */
const toSlices = (
  organisationId: OrganisationId,
  portfolios: ReadonlyArray<Portfolio>,
  sites: ReadonlyArray<string>
): ReadonlyArray<PortfolioSlice> => {
  const sitesOf = Map.groupBy(sites, portfolioIdOf)
  const given = { organisationId }
  const slice = (portfolioId: PortfolioId, portfolio: Portfolio | null): PortfolioSlice => {
    const page = pageOf(sitesOf.get(portfolioId) ?? [], { table: siteTable, given, hasMore: false, isShownAsStored })
    const json = jsonOf(page)
    const made = {
      portfolioId,
      portfolio,
      get sites() {
        return page.items
      }
    }
    return json === undefined ? made : withJson(made, json)
  }
  const first = sites[0] === undefined ? null : portfolioIdOf(sites[0])
  const begun = portfolios.map((portfolio) => slice(portfolio.id, portfolio))
  const continues = first !== null && portfolios.every(({ id }) => id !== first)
  return continues ? [slice(first, null), ...begun] : begun
}

/** `PortfolioRepository.listWithSites`. */
export const makeListWithSites = (client: PgClient["Service"]): PortfolioRepository["Service"]["listWithSites"] => {
  const later = "and p.id > $4::uuid"
  const piece = (rows: PgText | string, begins = "") => {
    const text = pieceOf(rows, begins)
    const operation = "PortfolioRepository.listWithSites"
    return (reach: Reach, ...position: ReadonlyArray<number | string>) => {
      const { organisationId, portfolioIds } = reachParts(reach)
      const limits = portfolioIds === null ? [] : [reachParameter(reach)]
      const parameters = [organisationId, ...position, ...limits]
      return client.run({ operation, text, parameters, readOnly: true, scope: { organisationId, portfolioIds } })
    }
  }
  const afterSite = (ofSites: string, ofPortfolios: string) =>
    piece(sql`(${restOfPortfolio(ofSites)}) union all (${portfoliosAfter(`${later} ${ofPortfolios}`)})`, later)
  const whole = {
    fromStart: piece(portfoliosAfter("")),
    afterPortfolio: piece(portfoliosAfter(later)),
    afterSite: afterSite("", "")
  }
  const limited = {
    fromStart: piece(portfoliosAfter(`and p.id ${reached(4)}`)),
    afterPortfolio: piece(portfoliosAfter(`${later} and p.id ${reached(5)}`)),
    afterSite: afterSite(`and s.portfolio_id ${reached(6)}`, `and p.id ${reached(6)}`)
  }

  return (reach, { after, limit }) =>
    Effect.flatMap(MaximumPageBytes, (bytes) => {
      const { organisationId, portfolioIds } = reachParts(reach)
      const { afterPortfolio, afterSite, fromStart } = portfolioIds === null ? whole : limited
      const answer =
        after === null
          ? fromStart(reach, limit, bytes)
          : after.siteId === null
            ? afterPortfolio(reach, limit, bytes, after.portfolioId)
            : afterSite(reach, limit, bytes, after.portfolioId, after.siteId)
      return Effect.map(answer, (rows) => {
        // The statement answers one row: the text of a Piece, and the text of its sites.
        const [piece, sites] = rows.at(-1) as readonly [string, string | null]
        const { hasMore, portfolios: stored }: Piece = JSON.parse(piece)
        const portfolios = stored.map(portfolioTable.reader({ organisationId }))
        const { isCut, rows: texts } = rowTexts(sites)
        const last = texts.at(-1)
        if (!isCut || last === undefined) return { items: toSlices(organisationId, portfolios, texts), hasMore }
        // Portfolios behind the last site begin in the next piece.
        const lastId = portfolioIdOf(last)
        const begun = portfolios.filter(({ id }) => id <= lastId)
        return { items: toSlices(organisationId, begun, texts), hasMore: true }
      })
    })
}
