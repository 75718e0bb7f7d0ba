/**
 * SQL of the coverage of sites (docs/decisions/0026).
 *
 * A scope is a set of sites with the same requirements: those of a portfolio that has requirements
 * of its own, or all others (`lowestUuid`). `entry` has the requirements of each scope.
 */
import type { CoverageState } from "@solar-sites/core"
import { type PgText, sql, table } from "../client/PgText.ts"
import { lowestUuid } from "../tables/SqlValues.ts"

/** In the order in which documents count. Positions in this list are ranks, from 1. */
export const ranks: ReadonlyArray<CoverageState> = [
  "valid",
  "expiring",
  "not_yet_valid",
  "expired",
  "missing",
  "pending"
]

// The predicate of the index.
export const counting = "d.document_type is not null and d.replaced_by is null and d.status <> 'failed'"

/** SQL of the rank of a document `d` for a requirement `e` on a day. */
export const rankOn = (day: string): string => `case when d.status = 'pending' then 6
                        when d.valid_until is null and e.validity_required then 5
                        when d.valid_until < ${day} then 4
                        when d.valid_from > ${day} then 3
                        when d.valid_until <= ${day} + e.expiring_within_days then 2
                        else 1 end`

/** The scopes that `scopes` selects, and their requirements. */
export const entries = (scopes: PgText | string): PgText => sql`
  scope as materialized (${scopes}),
  entry as materialized (
    select distinct on (c.scope, r.document_type)
           c.scope, r.position, r.document_type, r.validity_required, r.expiring_within_days
    from scope c join ${table("requirement")} r
      on r.organisation_id = $1::uuid and (r.portfolio_id is null or r.portfolio_id = c.scope)
    order by c.scope, r.document_type, r.portfolio_id nulls last
  )`

/** Scopes of all sites, and of the portfolios with requirements for which the condition holds. */
export const scopesWith = (condition: string): PgText => sql`
  select '${lowestUuid}'::uuid as scope
  union select q.portfolio_id from ${table("requirement")} q
  where q.organisation_id = $1::uuid and q.portfolio_id ${condition}`

export const allScopes = scopesWith("is not null")
