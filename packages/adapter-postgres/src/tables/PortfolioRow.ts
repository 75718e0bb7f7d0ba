/**
 * How a portfolio comes out of its table, with the totals over its sites.
 */
import { makeUnchecked, Portfolio } from "@solar-sites/core"
import { fromSeconds } from "../repositories/PgJsonStatement.ts"

/** A portfolio as `selectPortfolios` gives it in JSON; instants are seconds since 1970. */
export type PortfolioRow = Omit<Pick<Portfolio, keyof Portfolio>, "createdAt" | "updatedAt"> & {
  readonly createdAt: number
  readonly updatedAt: number
}

/** Portfolios from a table or query named `p`; the totals are read from the index by portfolio alone. */
export const selectPortfolios = (schema: string, from: string): string => `
  select p.id, p.organisation_id as "organisationId", p.name, totals.site_count as "siteCount",
         totals.capacity_kw as "capacityKw", date_part('epoch', p.created_at) as "createdAt",
         date_part('epoch', p.updated_at) as "updatedAt", p.version
  from ${from} p cross join lateral (
    select count(*) as site_count, coalesce(sum(s.capacity_kw), 0) as capacity_kw from ${schema}.site s
    where s.organisation_id = p.organisation_id and s.portfolio_id = p.id
  ) totals`

/** What is stored was checked on its way in, so that it is not checked again. */
export const toPortfolio = (row: PortfolioRow): Portfolio =>
  makeUnchecked(Portfolio, { ...row, createdAt: fromSeconds(row.createdAt), updatedAt: fromSeconds(row.updatedAt) })
