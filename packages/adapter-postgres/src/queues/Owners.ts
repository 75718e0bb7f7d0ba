/**
 * Organisations with rows in a table, for work on all of them. Each is one look-up in an index that begins
 * with the organisation, however many rows it has.
 */
import { type PgText, sql } from "../client/PgText.ts"
import { lowestUuid } from "../tables/SqlValues.ts"

/**
 * The recursive expression `name` with the columns `organisation_id`, in ascending order, and `least`: the
 * least value of a column in the rows of the organisation. `previous` is SQL of the organisation before the
 * first one.
 */
export const ownersIn = (
  name: string,
  table: PgText,
  column = "organisation_id",
  previous = `'${lowestUuid}'::uuid`
): PgText => {
  const next = (after: string) => sql`
    select t.organisation_id, t.${column} from ${table} t
    where t.${column} is not null and t.organisation_id > ${after}
    order by t.organisation_id, t.${column} limit 1`
  return sql`${name} (organisation_id, least) as (
    (${next(previous)})
    union all
    select n.* from ${name} p cross join lateral (${next("p.organisation_id")}) n
  )`
}
