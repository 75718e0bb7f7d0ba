/**
 * SQL that deletes the API keys of a user, as common table expressions of the statement that
 * deletes the user. For applications that keep own users in the schema.
 */
import { changedTable, type PgText, sql, table } from "../client/PgText.ts"
import { apiKeyDeletion } from "../tables/AccessTables.ts"
import { type EventSelect, originFrom } from "./PgEventLog.ts"

/**
 * The expressions `locked_key` and `removed_key`. `user` is an expression before them that returns
 * the column `id`. The first parameter of the statement is the organisation.
 */
export const removeKeysOf = (user: string): PgText => sql`
  locked_key as materialized (
    select k.id from ${table("api_key")} k join ${user} on lower(k.created_by) = ${user}.id::text
    where k.organisation_id = $1::uuid
    order by k.id
    for update of k
  ), removed_key as (
    delete from ${changedTable("api_key")} k using locked_key l
    where k.organisation_id = $1::uuid and k.id = l.id
    returning k.*
  )`

/**
 * The events of the removed keys, for `writeEvents`. `origin` is a parameter such as `$4`. Their
 * numbers follow `after`.
 */
export const removedKeys = (origin: string, after: number): EventSelect => ({
  type: "api_key.deleted",
  from: `removed_key k cross join ${originFrom(origin, "o")}`,
  origin: "o",
  number: `${after} + row_number() over (order by k.id)`,
  ...apiKeyDeletion("k")
})
