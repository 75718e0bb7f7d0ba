/**
 * Computes coverage from the index `document_coverage` (docs/decisions/0026).
 */
import {
  allConditionsRead,
  type CoveragePage,
  type CoverageSummary,
  isReached,
  type PortfolioId,
  type Reach,
  type RequirementRepository,
  reachParts
} from "@solar-sites/core"
import { Effect } from "effect"
import { reading } from "../client/PgJsonStatement.ts"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { lowestUuid, uuidsIn } from "../tables/SqlValues.ts"
import { allScopes, counting, entries, rankOn, ranks } from "./CoverageScopes.ts"
import { type Summarised, summaryText } from "./CoverageSummaryText.ts"
import { onlyOf, reachParameter } from "./PgConditions.ts"

/** Maximum of sites per statement: with `state` and `documentType` few of them may match. */
const examined = 2_000

const scopeOf = (portfolioId: string): string =>
  `coalesce((select c.scope from scope c where c.scope = ${portfolioId}), '${lowestUuid}')`

/**
 * Parameters: organisation, day, position, sites to examine, page size, state, document type, and
 * those of `conditions`. `merging` is SQL of parts of the sites, each of which is read in order.
 */
const listText = (conditions: string, merging = ""): PgText => {
  // With the limit in the text the server reads the index in order, also in a generic plan.
  const rows = (read: string) => sql`
    select ${read} from ${table("site")} s
    where s.organisation_id = $1::uuid and s.id > $3::uuid ${conditions}
    order by s.id limit ${examined + 1}`
  const names = "s.id, s.site_name, s.portfolio_id"
  const sites = (columns: string, limit: string) =>
    merging === ""
      ? sql`select ${columns} from (select y.* from  (${rows(names)}) y) y order by y.id limit ${limit}`
      : sql`
        select ${columns} from (select y.id from ${merging} (${rows("s.id")}) y order by y.id limit ${limit}) f
        cross join lateral (
          select ${names} from ${table("site")} s where s.organisation_id = $1::uuid and s.id = f.id offset 0
        ) y order by y.id`
  return sql`
    with ${entries(allScopes)},
    matched as materialized (
      select s.id, s.site_name, s.portfolio_id, x.complete, x.items
      from (${sites(`y.*, ${scopeOf("y.portfolio_id")} as scope`, "$4::int")}) s
      cross join lateral (
        select coalesce(bool_and(i.state in ('valid', 'expiring')), true) as complete,
               ($6::text is null and $7::text is null) or coalesce(bool_or(
                 i.state = coalesce($6::text, i.state) and i.document_type = coalesce($7::text, i.document_type)
               ), false) as matching,
               coalesce(json_agg(json_build_object(
                 'documentType', i.document_type, 'state', i.state, 'documentId', i.id, 'validUntil', i.valid_until
               ) order by i.position), '[]') as items
        from (
          select distinct on (e.position) e.position, e.document_type, d.id, d.valid_until,
                 coalesce((array['${ranks.join("','")}'])[d.rank], 'missing') as state
          from entry e left join lateral (
            select d.id, d.valid_until,
                   ${rankOn("$2::date")} as rank
            from ${table("document")} d
            where d.organisation_id = $1::uuid and d.site_id = s.id and d.document_type = e.document_type
              and ${counting}
          ) d on true
          where e.scope = s.scope
          order by e.position, d.rank, coalesce(d.valid_until, 'infinity') desc, d.id desc
        ) i
      ) x
      where x.matching
      order by s.id limit $5::int + 1
    )
    ${mainQuery} select json_build_object(
      'items', (
        select coalesce(json_agg(json_build_object(
          'siteId', m.id, 'siteName', m.site_name, 'portfolioId', m.portfolio_id, 'complete', m.complete,
          'items', m.items
        ) order by m.id), '[]')
        from (select * from matched order by id limit $5::int) m
      ),
      'next', case when (select count(*) from matched) > $5::int
        then (select m.id from matched m order by m.id offset $5::int - 1 limit 1)
        else (
          select (array_agg(b.id order by b.id))[$4::int] from (${sites("y.id", "$4::int + 1")}) b
          having count(*) > $4::int
        ) end
    )::text`
}

/** The methods of `RequirementRepository` that compute coverage. */
export const makeCoverage = (
  client: PgClient["Service"]
): Pick<RequirementRepository["Service"], "listCoverage" | "summariseCoverage"> => {
  const operation = "RequirementRepository.listCoverage"
  const list = (conditions: string, merging?: string) =>
    reading<CoveragePage>(client, operation, listText(conditions, merging))
  const all = list("")
  const ofPortfolio = list("and s.portfolio_id = $8::uuid")
  const one = list("and s.id = $8::uuid")
  const oneOfPortfolio = list("and s.id = $8::uuid and s.portfolio_id = $9::uuid")
  const ofReach = list("and s.portfolio_id = p.id", "unnest($8::text::uuid[]) as p (id) cross join lateral")
  const oneOfReach = list(`and s.id = $8::uuid and s.portfolio_id = any (${uuidsIn("$9::text")})`)
  const summary = (summarised: Summarised) =>
    reading<Omit<CoverageSummary, "asOf">>(client, "RequirementRepository.summariseCoverage", summaryText(summarised))
  const summaries = { all: summary("all"), portfolio: summary("portfolio"), reach: summary("reach") }

  /** The reach and the portfolio that remain to be applied: a portfolio is within the reach, or there is none. */
  const narrowed = (reach: Reach, portfolioId: PortfolioId | undefined) => {
    const parts = reachParts(reach)
    const named = portfolioId ?? onlyOf(parts.portfolioIds)
    if (named === undefined) return { portfolio: null, reached: reachParameter(reach) }
    return { portfolio: isReached(parts, named) ? named : lowestUuid, reached: null }
  }

  const answered = <Answer>(answer: Answer | null): Effect.Effect<Answer> =>
    answer === null ? Effect.die(new Error("A statement about coverage gave no row.")) : Effect.succeed(answer)

  return {
    listCoverage: (reach, conditions, { after, limit }) => {
      const { asOf, documentType = null, portfolioId, siteId, state = null, ...rest } = conditions
      allConditionsRead(rest)
      const isFiltered = state !== null || documentType !== null
      const sites = isFiltered ? examined : Math.min(limit, examined)
      const shared = [asOf, after ?? lowestUuid, sites, limit, state, documentType] as const
      const { portfolio, reached } = narrowed(reach, portfolioId)
      const [list, listOne] =
        portfolio !== null ? [ofPortfolio, oneOfPortfolio] : reached !== null ? [ofReach, oneOfReach] : [all, one]
      const within = portfolio ?? reached
      const further = [...(siteId === undefined ? [] : [siteId]), ...(within === null ? [] : [within])]
      const page = (siteId === undefined ? list : listOne)(reach, ...shared, ...further)
      return Effect.flatMap(page, answered)
    },

    summariseCoverage: (reach, { asOf, portfolioId, ...rest }) => {
      allConditionsRead(rest)
      const { portfolio, reached } = narrowed(reach, portfolioId)
      const counts =
        portfolio !== null
          ? summaries.portfolio(reach, asOf, portfolio)
          : reached !== null
            ? summaries.reach(reach, asOf, reached)
            : summaries.all(reach, asOf)
      return Effect.flatMap(counts, answered)
    }
  }
}
