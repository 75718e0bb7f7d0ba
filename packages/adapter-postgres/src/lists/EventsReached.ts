/**
 * SQL of the events that callers reach that are limited to portfolios.
 */
import { type PgText, sql, table } from "../client/PgText.ts"

/**
 * SQL of the ids of portfolios and sites within a reach, given as the parameter. A deleted site is in the portfolio
 * that it had when it was deleted. A repeated request can create it once more.
 */
export const idsReached = (reach: string): PgText => sql`
  select r.id from unnest(${reach}::uuid[]) as r (id)
  union all
  select s.id from ${table("site")} s
  where s.organisation_id = $1::uuid and s.portfolio_id = any (${reach}::uuid[])
  union all
  select d.subject_id from ${table("event")} d
  where d.organisation_id = $1::uuid and d.type = 'site.deleted'
    and d.changes #>> '{portfolioId,from}' = any (${reach}::text[])
    and not exists (select from ${table("site")} s where s.organisation_id = $1::uuid and s.id = d.subject_id)
    and d.sequence = (
      select l.sequence from ${table("event")} l
      where l.organisation_id = $1::uuid and l.subject_id = d.subject_id and l.type = d.type
      order by l.sequence desc limit 1
    )`

/** SQL condition: the event `e` is within a reach, given as the parameter, as in `idsReached`. */
export const isReachedEvent = (reach: string): PgText => {
  // Read once, and not for each event.
  const ids = `(select ${reach}::uuid[])`
  return sql`(
  e.subject_id = any (${ids}::uuid[])
  or exists (
    select from ${table("site")} s
    where s.organisation_id = $1::uuid and s.id in (e.site_id, e.subject_id) and s.portfolio_id = any (${ids}::uuid[])
  )
  or not exists (
    select from ${table("site")} s where s.organisation_id = $1::uuid and s.id = coalesce(e.site_id, e.subject_id)
  ) and (
    select d.changes #>> '{portfolioId,from}' = any (${ids}::text[]) from ${table("event")} d
    where d.organisation_id = $1::uuid and d.subject_id = coalesce(e.site_id, e.subject_id) and d.type = 'site.deleted'
    order by d.sequence desc limit 1
  )
)`
}
