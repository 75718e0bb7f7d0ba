/**
 * The sites of a portfolio: moves them, and deletes the portfolio.
 *
 * Every statement locks the portfolio first, then the sites in ascending order of id, so that no two
 * of them deadlock. It changes all sites or none.
 */
import {
  type CheckedVersion,
  MaximumPageBytes,
  type MovedSites,
  type PortfolioRepository,
  RepositoryError,
  reachParts
} from "@solar-sites/core"
import { Effect } from "effect"
import { retriedOn, writing } from "../client/PgJsonStatement.ts"
import { mainQuery, sql, table } from "../client/PgText.ts"
import { isWithin, reachParameter } from "../lists/PgConditions.ts"
import type { PgClient } from "../PgClient.ts"
import { portfolioEvent } from "../tables/PortfolioTable.ts"
import { requirementsEvent } from "../tables/RequirementTable.ts"
import { areTooLarge, type SiteRow, siteEvent, siteTable } from "../tables/SiteTable.ts"
import { instant, isExpected, toMilliseconds, versionsParameter } from "../tables/SqlValues.ts"
import { originFrom, originParameter, writeEvents, writtenTypes } from "./PgEventLog.ts"

const changedList = new Error("others changed the requirements at the same time")
const stale = Effect.fail(
  new RepositoryError({ operation: "PortfolioRepository.delete", retryable: true, cause: changedList })
)

const statements = (client: PgClient["Service"]) => {
  const lockPortfolio = (strength: string, condition = "true") => sql`
    select p.id, p.version from ${table("portfolio")} p
    where p.organisation_id = $1::uuid and p.id = $2::uuid and ${condition}
    for ${strength}`
  const setPortfolio = (id: string) => `portfolio_id = ${id}, version = s.version + 1, updated_at = ${instant("$4")}`

  // The sites `s` in `changed`, and `before` of the rows in `locked`.
  const moved = (locked: string, origin: string, number: string) =>
    ({
      type: "site.updated",
      from: `changed s join ${locked} l on l.id = s.id cross join ${originFrom(origin, "o")}`,
      origin: "o",
      number,
      ...siteEvent("(l.before)", "s", ["portfolioId"])
    }) as const
  const inOrder = "row_number() over (order by s.id)"
  const isInto = "$7::text::boolean"
  const target = `case when ${isInto} then $2::uuid end`

  return {
    moveSites: writing<Omit<MovedSites, "sites"> & { readonly sites: ReadonlyArray<SiteRow> | null }>(
      client,
      "PortfolioRepository.moveSites",
      sql`with input as materialized (
         select id::uuid, position from jsonb_array_elements_text($3::text::jsonb) with ordinality as a (id, position)
       ), locked_portfolio as materialized (${lockPortfolio("key share", isWithin("$9", "p.id"))}),
       locked_sites as materialized (
         select s as before, s.id, s.portfolio_id from ${table("site")} s
         where s.organisation_id = $1::uuid and s.id in (select id from input)
           and ${isWithin("$9")} and exists (select from locked_portfolio)
         order by s.id
         for no key update of s
       ), found_sites as materialized (
         select * from locked_sites where ${isInto} or portfolio_id = $2::uuid
       ), checked as materialized (
         select p.version, ${isExpected("p.version", "$5")} as expected,
                (select ${areTooLarge("l.before", "$8")} from found_sites l where ${isInto}) as too_large,
                (select count(*) from found_sites) = (select count(*) from input) as complete
         from locked_portfolio p
       ), moving as materialized (
         select f.* from found_sites f cross join checked c where c.expected and c.complete and not c.too_large
       ), changed as (
         update ${table("site")} s set ${setPortfolio(target)}
         from moving m
         where s.organisation_id = $1::uuid and s.id = m.id and m.portfolio_id is distinct from ${target}
         returning s.*
       ), ${writeEvents(moved("moving", "$6", inOrder))}, latest as (
         select * from changed where ${isInto}
         union all
         select (m.before).* from moving m where ${isInto} and m.portfolio_id is not distinct from $2::uuid
       )
       ${mainQuery} select json_build_object(
         'version', c.version, 'isExpected', c.expected, 'areTooLarge', c.too_large,
         'missing', (
           select coalesce(json_agg(i.id), '[]') from input i where i.id not in (select id from found_sites)
         ),
         'sites', (select json_agg(x.site order by x.position) from (
           select i.position, ${siteTable.row("s")}::json as site
           from latest s join input i on i.id = s.id
         ) x)
       )::text, ${writtenTypes}
       from checked c`
    ),

    // The statement does not see a site or a requirement that is added while it waits for the
    // portfolio. The foreign key of that row then rolls the deletion back, and it is retried. When
    // the list of requirements changed meanwhile, nothing happens, and it is repeated: its event
    // would name other requirements than there were. The count lets sites be locked before the list.
    delete: writing<CheckedVersion & { readonly isCurrent: boolean }>(
      client,
      "PortfolioRepository.delete",
      sql`with locked_portfolio as materialized (${lockPortfolio("update")}),
       checked as materialized (
         select * from locked_portfolio where ${isExpected("version", "$3")}
       ), found_sites as materialized (
         select s as before, s.id from ${table("site")} s
         where s.organisation_id = $1::uuid and s.portfolio_id = $2::uuid and exists (select from checked)
         order by s.id
         for no key update of s
       ), found_list as materialized (
         select l.organisation_id, l.version = (
           select s.version from ${table("requirement_list")} s where s.organisation_id = $1::uuid
         ) as is_current
         from ${table("requirement_list")} l
         where l.organisation_id = $1::uuid and exists (select from checked) and exists (
           select from ${table("requirement")} r where r.organisation_id = $1::uuid and r.portfolio_id = $2::uuid
         ) and (select count(*) from found_sites) >= 0
         for no key update
       ), current as materialized (
         select c.* from checked c where not exists (select from found_list where not is_current)
       ), locked_sites as materialized (
         select s.* from found_sites s where exists (select from current)
       ), locked_list as materialized (
         select l.organisation_id from found_list l where exists (select from current)
       ), changed as (
         update ${table("site")} s set ${setPortfolio("null")} from locked_sites l
         where s.organisation_id = $1::uuid and s.id = l.id
         returning s.*
       ), locked_requirements as materialized (
         select r.* from ${table("requirement")} r join locked_list l on r.organisation_id = l.organisation_id
         where r.organisation_id = $1::uuid
         for update of r
       ), kept_requirements as materialized (
         select * from locked_requirements where portfolio_id is distinct from $2::uuid
       ), removed_requirements as (
         delete from ${table("requirement")} r using locked_requirements l
         where r.organisation_id = $1::uuid and r.position = l.position and l.portfolio_id = $2::uuid
         returning r.position
       ), changed_list as (
         update ${table("requirement_list")} l set version = l.version + 1, updated_at = ${instant("$4")}
         where l.organisation_id = $1::uuid and exists (select from removed_requirements)
         returning l.organisation_id
       ), removed as (
         delete from ${table("portfolio")} p using current c
         where p.organisation_id = $1::uuid and p.id = c.id
         returning p.*
       ), ${writeEvents(
         {
           type: "portfolio.deleted",
           from: `removed p cross join ${originFrom("$5", "o")}`,
           origin: "o",
           ...portfolioEvent("p", null)
         },
         moved("locked_sites", "$5", `1 + ${inOrder}`),
         {
           from: `changed_list cross join ${originFrom("$5", "o")}`,
           number: "2 + (select count(*) from changed)",
           ...requirementsEvent("locked_requirements", "kept_requirements")
         }
       )}
       ${mainQuery} select json_build_object(
         'isExpected', exists (select from removed), 'version', l.version,
         'isCurrent', not exists (select from checked) or exists (select from current)
       )::text, ${writtenTypes}
       from locked_portfolio l`
    )
  }
}

/** The methods of `PortfolioRepository` that change the sites of a portfolio. */
export const makeMembership = (
  client: PgClient["Service"]
): Pick<PortfolioRepository["Service"], "moveSites" | "delete"> => {
  const sql = statements(client)

  return {
    moveSites: Effect.fnUntraced(function* (
      reach,
      { direction, portfolioId, siteIds },
      { at, expectedVersions, origin }
    ) {
      const { organisationId } = reachParts(reach)
      const found = yield* sql.moveSites(
        reach,
        portfolioId,
        JSON.stringify(siteIds),
        toMilliseconds(at),
        versionsParameter(expectedVersions),
        originParameter(origin),
        String(direction === "into"),
        yield* MaximumPageBytes,
        reachParameter(reach)
      )
      return found && { ...found, sites: (found.sites ?? []).map(siteTable.reader({ organisationId })) }
    }),

    delete: (organisationId, portfolioId, { at, expectedVersions, origin }) =>
      sql
        .delete(
          organisationId,
          portfolioId,
          versionsParameter(expectedVersions),
          toMilliseconds(at),
          originParameter(origin)
        )
        .pipe(
          Effect.flatMap((found) => {
            if (found === null) return Effect.succeed(found)
            const { isCurrent, ...answer } = found
            return isCurrent ? Effect.succeed(answer) : stale
          }),
          Effect.retry({ while: ({ cause }) => cause === changedList, times: 10 }),
          retriedOn("site_portfolio", "requirement_portfolio")
        )
  }
}
