/**
 * Statements with a fixed text whose whole answer is one JSON value: decoded
 * once, it is the cheapest way out of the driver, and whatever a host has set up
 * for the types of its own client does not change it.
 */
import type { ExpectedVersions, RepositoryError } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import type { PgParameter, PgSql } from "../client/PgDriver.ts"
import type { PgClient, PgRows } from "../PgClient.ts"
import { boundText, organisationOf } from "../security/PgRowLevelSecurity.ts"

/** Runs the statement with its parameters; null when it gives no row or a null. */
export type PgStatement<Answer> = (...parameters: Array<PgParameter>) => Effect.Effect<Answer | null, RepositoryError>

/** Hands a statement to the driver. */
export const send = (
  sql: PgSql,
  client: PgClient["Service"],
  operation: string,
  text: string,
  parameters: Array<PgParameter>,
  // What writes has a connection to itself, which would idle until the end of the turn.
  atOnce: boolean
): PromiseLike<PgRows> =>
  sql
    .unsafe(text, parameters, {
      prepare: true,
      atOnce,
      organisationId: organisationOf(operation, parameters),
      ...(client.rowLevelSecurity ? { bind: boundText(operation) } : {})
    })
    .values()

const textOf = (rows: PgRows): string | null => {
  // The last row, since an unpatched driver can leave holes in front of it.
  const text = rows.at(-1)?.[0]
  return typeof text === "string" ? text : null
}

/** The text of the statement is what makes its answer an Answer. */
export const answerOf = <Answer>(rows: PgRows): Answer | null => {
  const json = textOf(rows)
  return json === null ? null : (JSON.parse(json) as Answer)
}

const statement =
  (retryRead: boolean) =>
  <Answer>(
    client: PgClient["Service"],
    operation: string,
    text: string,
    decode: (rows: PgRows) => Answer | null = answerOf
  ): PgStatement<Answer> =>
  (...parameters) => {
    const run = (sql: PgSql) => send(sql, client, operation, text, parameters, !retryRead)
    return Effect.map(client.query(operation, run, { retryRead }), decode)
  }

/** A statement that changes nothing and may be repeated. */
export const reading = statement(true)

/** One whose answer is any text. */
export const readingText = (client: PgClient["Service"], operation: string, text: string): PgStatement<string> =>
  reading(client, operation, text, textOf)

/** A statement that changes something and is never repeated without certainty. */
export const writing = statement(false)

/** An instant as a parameter, for `to_timestamp(… / 1000)`. */
export const toMilliseconds = (instant: DateTime.Utc): number => instant.epochMilliseconds

/** An instant from `date_part('epoch', …)`: seconds, exact to the millisecond. */
export const fromSeconds = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(Math.round(seconds * 1_000))

// Of the column type `integer`.
const greatestVersion = 2 ** 31 - 1

/** The versions as a parameter for `int[]`; null stands for any. What no row could have is left out. */
export const versionsParameter = (versions: ExpectedVersions): string | null =>
  versions === undefined ? null : `{${versions.filter((version) => version <= greatestVersion).join(",")}}`

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
