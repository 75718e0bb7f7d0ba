/**
 * Statements that several callers share: what one organisation stores or asks for
 * at the same time is one statement, and each gets what is its own.
 */
import type { RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { answerOf } from "./PgJsonStatement.ts"

interface Together<Row> {
  readonly idOf: (row: Row) => string
  readonly parameter: (items: ReadonlyArray<string>) => string
  readonly readOnly: boolean
}

/**
 * A statement about the items of its second parameter, as `parameter` writes
 * them, within the organisation of its first. Answers a JSON array of rows, by id.
 */
const together = <Row>(
  client: PgClient["Service"],
  operation: string,
  text: string,
  { idOf, parameter, readOnly }: Together<Row>
) =>
  client.batch({
    operation,
    text,
    readOnly,
    parameter,
    decode: (rows): ReadonlyMap<string, Row> =>
      new Map(answerOf<ReadonlyArray<Row>>(rows)?.map((row) => [idOf(row), row]))
  })

/**
 * Stores records, given as JSON, and answers the row of each. `group` names the
 * locks that one may have to wait for: only records of one organisation and one
 * group ever share a statement. Its second parameter is a JSON array.
 */
export const storing = <Row>(
  client: PgClient["Service"],
  operation: string,
  text: string,
  idOf: (row: Row) => string
): ((organisationId: string, group: string, id: string, record: string) => Effect.Effect<Row, RepositoryError>) => {
  const parameter = (records: ReadonlyArray<string>) => `[${records.join(",")}]`
  const run = together(client, operation, text, { idOf, parameter, readOnly: false })
  return (organisationId, group, id, record) =>
    Effect.flatMap(run(organisationId, group, record), (rows) => {
      const row = rows.get(id.toLowerCase())
      return row === undefined ? Effect.die(new Error(`${operation} gave no row.`)) : Effect.succeed(row)
    })
}

/**
 * Finds rows by their ids; null where there is none. What is asked for at the
 * same time within one organisation shares a statement, which takes no locks.
 * Its second parameter is the text of a `uuid[]`.
 */
export const finding = <Row>(
  client: PgClient["Service"],
  operation: string,
  text: string,
  idOf: (row: Row) => string
): ((organisationId: string, id: string) => Effect.Effect<Row | null, RepositoryError>) => {
  const parameter = (ids: ReadonlyArray<string>) => `{${ids.join(",")}}`
  const run = together(client, operation, text, { idOf, parameter, readOnly: true })
  return (organisationId, id) => Effect.map(run(organisationId, "", id), (rows) => rows.get(id.toLowerCase()) ?? null)
}
