/**
 * Statements whose whole answer is one JSON value. It is decoded once, which is
 * the cheapest way out of the driver, and does not depend on the types that a host
 * has registered with its own client.
 */
import type { ExpectedVersions, RepositoryError } from "@solar-sites/core"
import { DateTime, Effect } from "effect"
import type { PgParameter, PgRows, PgStatement } from "../client/PgStatement.ts"
import type { PgClient } from "../PgClient.ts"

/** Runs a statement with its parameters. Null when the answer has no row, or the value is null. */
type Run<Parameters extends ReadonlyArray<PgParameter>, Answer> = (
  ...parameters: Parameters
) => Effect.Effect<Answer | null, RepositoryError>

/** A statement of one organisation, which is its first parameter. */
export type JsonStatement<Answer> = Run<[organisationId: string, ...Array<PgParameter>], Answer>

/** The one value of the answer as text. */
export const textOf = (rows: PgRows): string | null => {
  // The last row, since an unpatched driver can leave holes in front of it.
  const text = rows.at(-1)?.[0]
  return typeof text === "string" ? text : null
}

/** The text of the statement is what makes its answer an Answer. */
export const answerOf = <Answer>(rows: PgRows): Answer | null => {
  const json = textOf(rows)
  return json === null ? null : (JSON.parse(json) as Answer)
}

type Client = PgClient["Service"]

const run = <Answer>({ run }: Client, statement: PgStatement, decode: (rows: PgRows) => Answer | null) =>
  Effect.map(run(statement), decode)

/** A statement that only reads, and may be repeated. */
export const reading =
  <Answer>(client: Client, operation: string, text: string): JsonStatement<Answer> =>
  (...parameters) =>
    run(
      client,
      { operation, text, parameters, readOnly: true, scope: { organisationId: parameters[0] } },
      answerOf<Answer>
    )

/** A statement that only reads, and cannot know the organisation. */
export const readingAcross =
  <Answer>(client: Client, operation: string, text: string): Run<Array<PgParameter>, Answer> =>
  (...parameters) =>
    run(client, { operation, text, parameters, readOnly: true, scope: "acrossOrganisations" }, answerOf<Answer>)

/** A statement that changes something, and is repeated only when it certainly rolled back. */
export const writing =
  <Answer>(client: Client, operation: string, text: string): JsonStatement<Answer> =>
  (...parameters) =>
    run(client, { operation, text, parameters, scope: { organisationId: parameters[0] } }, answerOf<Answer>)

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
