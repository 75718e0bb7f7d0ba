/**
 * The condition of a list that sites have a health, computed from the coverage of each read site
 * (docs/decisions/0026).
 */
import type { HealthOnDay, SiteHealth } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import { arrayText, lowestUuid } from "../tables/SqlValues.ts"
import { allScopes, counting, entries, rankOn, ranks } from "./CoverageScopes.ts"
import type { PgCondition } from "./PgConditions.ts"

const rankOf = (state: (typeof ranks)[number]): number => ranks.indexOf(state) + 1

/** SQL of the health of a site from the rank `i.rank` of each required document. */
const health = (is: SiteHealth): string => `'${is}'`
const worst = `case when bool_or(i.rank = ${rankOf("expired")}) then ${health("expired")}
                    when bool_or(i.rank > ${rankOf("expiring")}) then ${health("missing")}
                    when bool_or(i.rank = ${rankOf("expiring")}) then ${health("expiring")}
                    else ${health("complete")} end`

/**
 * The parameter holds health and day. The server reads the requirements once, as they do not depend on the row,
 * and the documents of a site in one piece (`offset 0`).
 */
export const hasHealth = (condition: HealthOnDay | undefined): PgCondition => ({
  value: condition === undefined ? undefined : arrayText([condition.is, condition.asOf]),
  type: "text::text[]",
  isSorted: true,
  isCostly: true,
  sql: (given) => sql`(
    with ${entries(allScopes)}
    select ${worst} = (${given})[1]
    from (
      select coalesce(min(case when d.status is null then null else ${rankOn(`(${given})[2]::date`)} end), ${rankOf("missing")}) as rank
      from entry e left join (
        select d.document_type, d.status, d.valid_from, d.valid_until
        from ${table("document")} d
        where d.organisation_id = $1::uuid and d.site_id = x.id and ${counting} offset 0
      ) d on d.document_type = e.document_type
      where e.scope = coalesce((select c.scope from scope c where c.scope = x.portfolio_id), '${lowestUuid}')
      group by e.document_type
    ) i
  )`
})
