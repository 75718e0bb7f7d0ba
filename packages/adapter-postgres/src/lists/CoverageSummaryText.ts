/**
 * The statement of a summary of coverage.
 */
import { mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import { lowestUuid, uuidsIn } from "../tables/SqlValues.ts"
import { allScopes, counting, entries, ranks, scopesWith } from "./CoverageScopes.ts"

/** The sites of a summary: all, those of a portfolio, or those of a reach. */
export type Summarised = "all" | "portfolio" | "reach"

/**
 * Parameters: organisation, day, and portfolio or reach. Documents are grouped in the order of the index,
 * before their requirement is known: `until` is the last day of the dated document that is valid
 * longest, `found` has a bit for each other kind of document. `offset 0` keeps the server from joining
 * sites and requirements first, which makes a row per site and requirement.
 */
export const summaryText = (summarised: Summarised): PgText => {
  const inReach = `= any (${uuidsIn("$3::text")})`
  const condition = { all: "", portfolio: "and s.portfolio_id = $3::uuid", reach: `and s.portfolio_id ${inReach}` }[
    summarised
  ]
  const scopes = { all: allScopes, portfolio: "select $3::uuid as scope", reach: scopesWith(inReach) }[summarised]
  const sites =
    condition !== ""
      ? sql`join ${table("site")} s on s.organisation_id = $1::uuid and s.id = d.site_id ${condition}`
      : ""
  return sql`
    with ${entries(scopes)},
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
