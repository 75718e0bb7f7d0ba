/**
 * Statements of this server's own tables, as the adapter has its own: with a
 * fixed text, and one JSON value for an answer.
 */
import type { PgClient, PgParameter } from "@solar-sites/adapter-postgres"
import type { RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"

/** Runs the statement with its parameters; null when it gives no row or a null. */
export type Statement<Answer> = (
  ...parameters: ReadonlyArray<PgParameter>
) => Effect.Effect<Answer | null, RepositoryError>

/**
 * `repeatable`: doing it twice is as good as once, so it may be repeated when a
 * connection was lost under it.
 */
export const statement =
  <Answer>(
    client: PgClient["Service"],
    operation: string,
    text: string,
    { repeatable = false }: { readonly repeatable?: boolean } = {}
  ): Statement<Answer> =>
  (...parameters) =>
    Effect.map(client.run({ operation, text, parameters, readOnly: repeatable }), (rows) => {
      const json = rows.at(-1)?.[0]
      // The text of the statement is what makes its answer an Answer.
      return typeof json === "string" ? (JSON.parse(json) as Answer) : null
    })

/** An instant that comes as milliseconds. */
export const instant = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`

/** An instant that goes as milliseconds. */
export const milliseconds = (column: string): string => `round(date_part('epoch', ${column}) * 1000)`
