/**
 * Computes coverage from the index `document_coverage` (docs/decisions/0026).
 *
 * A scope is a set of sites with the same requirements: those of a portfolio that has requirements
 * of its own, or all others (`lowestUuid`). `entry` has the requirements of each scope.
 */
import {
  allConditionsRead,
  type CoveragePage,
  type CoverageState,
  type CoverageSummary,
  type RequirementRepository
} from "@solar-sites/core"
import { Effect } from "effect"
import { reading } from "../client/PgJsonStatement.ts"
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { lowestUuid } from "../tables/SqlValues.ts"

/** Maximum of sites per statement: with `state` and `documentType` few of them may match. */
const examined = 2_000

/** In the order in which documents count. Positions in this list are ranks, from 1. */
const ranks: ReadonlyArray<CoverageState> = ["valid", "expiring", "not_yet_valid", "expired", "missing", "pending"]

// The predicate of the index.
const counting = "d.document_type is not null and d.replaced_by is null and d.status <> 'failed'"

/** The scopes that `scopes` selects, and their requirements. */
const entries = (scopes: PgText | string): PgText => sql`
  scope as materialized (${scopes}),
  entry as materialized (
    select distinct on (c.scope, r.document_type)
           c.scope, r.position, r.document_type, r.validity_required, r.expiring_within_days
    from scope c join ${table("requirement")} r
      on r.organisation_id = $1::uuid and (r.portfolio_id is null or r.portfolio_id = c.scope)
    order by c.scope, r.document_type, r.portfolio_id nulls last
  )`

const allScopes: PgText = sql`
  select '${lowestUuid}'::uuid as scope
  union select q.portfolio_id from ${table("requirement")} q
  where q.organisation_id = $1::uuid and q.portfolio_id is not null`

const scopeOf = (portfolioId: string): string =>
  `coalesce((select c.scope from scope c where c.scope = ${portfolioId}), '${lowestUuid}')`

/**
 * Parameters: organisation, day, position, sites to examine, page size, state, document type, and
 * those of `conditions`.
 */
const listText = (conditions: string): PgText => {
  // With the limit in the text the server reads the index in order, also in a generic plan.
  const sites = (columns: string, limit: string) => sql`
    select ${columns} from (
      select s.id, s.site_name, s.portfolio_id from ${table("site")} s
      where s.organisation_id = $1::uuid and s.id > $3::uuid ${conditions}
      order by s.id limit ${examined + 1}
    ) y order by y.id limit ${limit}`
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
                   case when d.status = 'pending' then 6
                        when d.valid_until is null and e.validity_required then 5
                        when d.valid_until < $2::date then 4
                        when d.valid_from > $2::date then 3
                        when d.valid_until <= $2::date + e.expiring_within_days then 2
                        else 1 end as rank
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

/**
 * Parameters: organisation, day and portfolio. Documents are grouped in the order of the index,
 * before their requirement is known: `until` is the last day of the dated document that is valid
 * longest, `found` has a bit for each other kind of document. `offset 0` keeps the server from joining
 * sites and requirements first, which makes a row per site and requirement.
 */
const summaryText = (ofPortfolio: boolean): PgText => {
  const condition = ofPortfolio ? "and s.portfolio_id = $3::uuid" : ""
  const sites = ofPortfolio
    ? sql`join ${table("site")} s on s.organisation_id = $1::uuid and s.id = d.site_id ${condition}`
    : ""
  return sql`
    with ${entries(ofPortfolio ? "select $3::uuid as scope" : allScopes)},
    placed as (
      select s.id, coalesce(c.scope, '${lowestUuid}') as scope
      from ${table("site")} s left join scope c on c.scope = s.portfolio_id
      where s.organisation_id = $1::uuid ${condition}
    ), sized as materialized (
      select p.scope, count(*) as sites,
             (select count(*) from entry e where e.scope = p.scope) as required
      from placed p group by p.scope
    ), held as (
      select d.site_id, d.document_type,
             max(d.valid_until) filter (
               where d.status <> 'pending' and d.valid_until >= $2::date and coalesce(d.valid_from <= $2::date, true)
             ) as until,
             bit_or(case when d.status = 'pending' then 1
                         when d.valid_until < $2::date then 2
                         when d.valid_from > $2::date and d.valid_until is not null then 4
                         when d.valid_from > $2::date then 8
                         when d.valid_until is null then 16
                         else 0 end) as found
      from ${table("document")} d ${sites}
      where d.organisation_id = $1::uuid and ${counting}
      group by d.site_id, d.document_type
    ), judged as (
      select h.site_id, h.scope, h.document_type,
             case when h.until > $2::date + e.expiring_within_days or not e.validity_required and h.found & 16 > 0 then 1
                  when h.until is not null then 2
                  when h.found & 4 > 0 or not e.validity_required and h.found & 8 > 0 then 3
                  when h.found & 2 > 0 then 4
                  when h.found & 24 > 0 then 5
                  else 6 end as rank
      from (select h.*, p.scope from held h join placed p on p.id = h.site_id offset 0) h
      join entry e on e.scope = h.scope and e.document_type = h.document_type
    ), counted as materialized (
      select g.of_type, g.scope, g.document_type, g.rank, g.good, count(*) as sites, sum(g.items) as items
      from (
        select grouping(j.site_id) = 1 as of_type, j.scope, j.document_type, j.rank,
               count(*) filter (where j.rank <= 2) as good, count(*) as items
        from judged j group by grouping sets ((j.site_id, j.scope), (j.scope, j.document_type, j.rank))
      ) g
      group by g.of_type, g.scope, g.document_type, g.rank, g.good
    ), required as (
      select e.document_type, min(e.position) as position, coalesce(sum(z.sites), 0) as sites
      from entry e left join sized z on z.scope = e.scope
      group by e.document_type
    )
    ${mainQuery} select json_build_object(
      'siteCount', (select coalesce(sum(z.sites), 0) from sized z),
      'completeCount', (
        select coalesce(sum(case when z.required = 0 then z.sites else (
          select coalesce(sum(n.sites), 0) from counted n
          where not n.of_type and n.scope = z.scope and n.good = z.required
        ) end), 0)
        from sized z
      ),
      'documentTypes', (
        select coalesce(json_agg(json_build_object(
          'documentType', q.document_type, 'missing', q.sites - coalesce(n.others, 0),
          'pending', coalesce(n.ranks[6], 0), 'valid', coalesce(n.ranks[1], 0), 'expiring', coalesce(n.ranks[2], 0),
          'expired', coalesce(n.ranks[4], 0), 'not_yet_valid', coalesce(n.ranks[3], 0)
        ) order by q.position), '[]')
        from required q
        left join lateral (
          select sum(n.items) filter (where n.rank <> 5) as others, array[${ranks
            .map((_, index) => `sum(n.items) filter (where n.rank = ${index + 1})`)
            .join(", ")}] as ranks
          from counted n where n.of_type and n.document_type = q.document_type
        ) n on true
      )
    )::text`
}

/** The methods of `RequirementRepository` that compute coverage. */
export const makeCoverage = (
  client: PgClient["Service"]
): Pick<RequirementRepository["Service"], "listCoverage" | "summariseCoverage"> => {
  const operation = "RequirementRepository.listCoverage"
  const list = (conditions: string) => reading<CoveragePage>(client, operation, listText(conditions))
  const all = list("")
  const ofPortfolio = list("and s.portfolio_id = $8::uuid")
  const one = list("and s.id = $8::uuid")
  const oneOfPortfolio = list("and s.id = $8::uuid and s.portfolio_id = $9::uuid")
  const summary = (isOfPortfolio: boolean) =>
    reading<Omit<CoverageSummary, "asOf">>(
      client,
      "RequirementRepository.summariseCoverage",
      summaryText(isOfPortfolio)
    )
  const [summaryOfAll, summaryOfPortfolio] = [summary(false), summary(true)]

  const answered = <Answer>(answer: Answer | null): Effect.Effect<Answer> =>
    answer === null ? Effect.die(new Error("A statement about coverage gave no row.")) : Effect.succeed(answer)

  return {
    listCoverage: (organisationId, conditions, { after, limit }) => {
      const { asOf, documentType = null, portfolioId, siteId, state = null, ...rest } = conditions
      allConditionsRead(rest)
      const isFiltered = state !== null || documentType !== null
      const sites = isFiltered ? examined : Math.min(limit, examined)
      const shared = [asOf, after ?? lowestUuid, sites, limit, state, documentType] as const
      const page =
        siteId === undefined
          ? portfolioId === undefined
            ? all(organisationId, ...shared)
            : ofPortfolio(organisationId, ...shared, portfolioId)
          : portfolioId === undefined
            ? one(organisationId, ...shared, siteId)
            : oneOfPortfolio(organisationId, ...shared, siteId, portfolioId)
      return Effect.flatMap(page, answered)
    },

    summariseCoverage: (organisationId, { asOf, portfolioId, ...rest }) => {
      allConditionsRead(rest)
      const counts =
        portfolioId === undefined
          ? summaryOfAll(organisationId, asOf)
          : summaryOfPortfolio(organisationId, asOf, portfolioId)
      return Effect.flatMap(counts, answered)
    }
  }
}
