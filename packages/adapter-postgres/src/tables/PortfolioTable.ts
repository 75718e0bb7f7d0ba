/**
 * The table `portfolio`, with the totals over the sites of each portfolio.
 */
import { Portfolio, portfolioMembers } from "@solar-sites/core"
import { type PgText, sql, table } from "../client/PgText.ts"
import { computed, instant, integer, nullable, numeric, text, uuid } from "./Column.ts"
import { makeTable, type Row } from "./Table.ts"

/** Its rows are those of `withTotals`. */
export const portfolioTable = makeTable(Portfolio, ["organisationId"], {
  id: uuid("id"),
  name: text("name"),
  siteCount: computed(integer, (row) => `${row}.site_count`),
  capacityKw: computed(numeric, (row) => `${row}.capacity_kw`),
  createdAt: instant("created_at"),
  updatedAt: instant("updated_at"),
  version: integer("version"),
  externalId: nullable(text("external_id"))
})

export type PortfolioRow = Row<Portfolio>

/** SQL of an event about a change of a portfolio: its rows before and after, null for none. */
export const portfolioEvent = (before: string | null, after: string | null) => {
  const row = after ?? before
  return {
    subjectId: `${row}.id`,
    subjectName: `${row}.name`,
    siteId: "null::uuid",
    changes: portfolioTable.changes(portfolioMembers, before, after)
  }
}

/** Selects portfolios `p`. The totals are read from the index by portfolio. */
export const withTotals = (columns = "p.*"): PgText => sql`
  select ${columns}, totals.site_count, totals.capacity_kw
  from ${table("portfolio")} p cross join lateral (
    select count(*) as site_count, coalesce(sum(s.capacity_kw), 0) as capacity_kw from ${table("site")} s
    where s.organisation_id = p.organisation_id and s.portfolio_id = p.id
  ) totals`
