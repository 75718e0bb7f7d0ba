/**
 * Statements with a fixed text whose whole answer is one JSON value: decoded
 * once, it is the cheapest way out of the driver, and whatever a host has set up
 * for the types of its own client does not change it.
 */
import type { ExpectedVersions, RepositoryError } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import type { PgClient } from "./PgClient.ts"
import type { PgParameter, PgSql } from "./PgDriver.ts"
import { runBound } from "./PgRowLevelSecurity.ts"

/** Runs the statement with its parameters; null when it gives no row or a null. */
export type PgStatement<Answer> = (...parameters: Array<PgParameter>) => Effect.Effect<Answer | null, RepositoryError>

const statement =
  (retryRead: boolean) =>
  <Answer>(client: PgClient["Service"], operation: string, text: string): PgStatement<Answer> =>
  (...parameters) => {
    // What writes has a connection to itself, which would idle until the end of the turn.
    const options = { prepare: true, atOnce: !retryRead }
    const run = (sql: PgSql) =>
      client.rowLevelSecurity
        ? runBound(sql, operation, text, parameters)
        : sql.unsafe(text, parameters, options).values()
    return Effect.map(client.query(operation, run, { retryRead }), (rows) => {
      // The last row, since an unpatched driver can leave holes in front of it.
      const json = rows.at(-1)?.[0]
      // The text of the statement is what makes its answer an Answer.
      return typeof json === "string" ? (JSON.parse(json) as Answer) : null
    })
  }

/** A statement that changes nothing and may be repeated. */
export const reading = statement(true)

/** A statement that changes something and is never repeated without certainty. */
export const writing = statement(false)

/** An instant as a parameter, for `to_timestamp(… / 1000)`. */
export const toMilliseconds = (instant: DateTime.Utc): number => instant.epochMilliseconds

/** An instant from `date_part('epoch', …)`: seconds, exact to the millisecond. */
export const fromSeconds = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(Math.round(seconds * 1_000))

/** The versions as a parameter for `int[]`; null stands for any. */
export const versionsParameter = (versions: ExpectedVersions): string | null =>
  versions === undefined ? null : `{${versions.join(",")}}`

/** The number as text that Postgres reads back as the very same number, minus zero included. */
export const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value))

/**
 * Ends an insert into the table named `name` whose rows may be there already: such
 * a row stays as it is and is returned as if it had just been inserted. It is
 * written anew for that, for `do nothing` returns nothing, and what another
 * statement has inserted in the meantime cannot be selected by this one.
 */
export const orAsItIs = (name: string): string =>
  `on conflict (organisation_id, id) do update set version = ${name}.version`

/** What was stored, in the order of what was to be. */
export const inOrderOf = <Row extends { readonly id: string }, Item>(
  asked: ReadonlyArray<{ readonly id: string }>,
  rows: ReadonlyArray<Row>,
  toItem: (row: Row) => Item
): ReadonlyArray<Item> => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return asked.flatMap(({ id }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [toItem(row)]
  })
}
