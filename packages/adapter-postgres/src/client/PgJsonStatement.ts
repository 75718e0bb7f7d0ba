/**
 * Statements that answer one JSON value. Decoding it once is the cheapest way to read an
 * answer, and does not depend on the types that a host has registered with its own client.
 */
import { RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { violates } from "./PgErrors.ts"
import { type PgParameter, type PgReach, type PgRows, scopeOf } from "./PgStatement.ts"
import type { PgText } from "./PgText.ts"

/** Runs a statement with its parameters. Null when the answer has no row, or the value is null. */
type Run<Parameters extends ReadonlyArray<PgParameter>, Answer> = (
  ...parameters: Parameters
) => Effect.Effect<Answer | null, RepositoryError>

/**
 * A statement of one organisation, which is its first parameter. Given a reach, it sees and writes no row outside under
 * row-level security; other parameters apply the portfolios without it.
 */
export type JsonStatement<Answer> = (
  reach: PgReach,
  ...parameters: ReadonlyArray<PgParameter>
) => Effect.Effect<Answer | null, RepositoryError>

/** The one value of the answer as text. */
export const textOf = (rows: PgRows): string | null => {
  // The last row, since an unpatched driver can leave holes in front of it.
  const text = rows.at(-1)?.[0]
  return typeof text === "string" ? text : null
}

/** The value of the answer. The text of the statement is what makes it an Answer. */
export const answerOf = <Answer>(rows: PgRows): Answer | null => {
  const json = textOf(rows)
  return json === null ? null : (JSON.parse(json) as Answer)
}

type Client = PgClient["Service"]

/** Makes statements of one organisation. */
const ofOrganisation =
  (readOnly: boolean) =>
  <Answer>({ run }: Client, operation: string, text: PgText | string): JsonStatement<Answer> =>
  (reach, ...further) => {
    const scope = scopeOf(reach)
    const parameters = [scope.organisationId, ...further]
    return Effect.map(run({ operation, text, parameters, readOnly, scope }), answerOf<Answer>)
  }

/** A statement that only reads, and may be repeated. */
export const reading = ofOrganisation(true)

/** A statement that changes something, and is repeated only when it certainly rolled back. */
export const writing = ofOrganisation(false)

/** A statement that only reads, and cannot know the organisation, by an index of its own. */
export const readingAcross =
  <Answer>({ run }: Client, operation: string, text: PgText | string): Run<Array<PgParameter>, Answer> =>
  (...parameters) =>
    Effect.map(run({ operation, text, parameters, readOnly: true, scope: "acrossOrganisations" }), answerOf<Answer>)

/**
 * Lists work of all organisations. The statement selects rows of a rank, a number, and an item, both as
 * text, the lowest rank first; its first parameter is the maximum of rows. On Citus it reads shard by
 * shard, so rows are merged here. Items of one rank are in the order of their texts.
 */
export const listingAcross = <Item>(
  client: Client,
  operation: string,
  text: PgText | string
): ((
  limit: number,
  ...parameters: ReadonlyArray<PgParameter>
) => Effect.Effect<ReadonlyArray<Item>, RepositoryError>) => {
  const statement = { operation, text, readOnly: true, scope: "acrossOrganisations" } as const
  return (limit, ...parameters) =>
    Effect.map(client.run({ ...statement, parameters: [limit, ...parameters] }), (rows) =>
      rows
        .map(([rank, item]) => ({ rank: Number(rank), item: String(item) }))
        .sort((a, b) => a.rank - b.rank || (a.item < b.item ? -1 : 1))
        .slice(0, limit)
        // The text of the statement is what makes an item an Item.
        .map(({ item }) => JSON.parse(item) as Item)
    )
}

const retries = 10

/**
 * Repeats a statement that one of these constraints rolled back: a row that breaks it was stored
 * after the statement began, so the statement did not see it.
 */
export const retriedOn = (...constraints: ReadonlyArray<string>) => {
  const isRolledBack = (error: RepositoryError) => constraints.some((constraint) => violates(constraint)(error))
  return <A>(statement: Effect.Effect<A, RepositoryError>): Effect.Effect<A, RepositoryError> =>
    statement.pipe(
      Effect.retry({ while: isRolledBack, times: retries }),
      Effect.mapError((error) => (isRolledBack(error) ? new RepositoryError({ ...error, retryable: true }) : error))
    )
}
