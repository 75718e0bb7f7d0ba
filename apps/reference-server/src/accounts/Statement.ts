/** Statements on the server's own tables: fixed text, one JSON value as result. */
import type { PgClient, PgParameter, PgRows, PgScope, PgText } from "@solar-sites/adapter-postgres"
import type { LimitedReach, OrganisationId, RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"

/** Null if the statement returns no row or null. */
export type Statement<Answer> = (
  ...parameters: ReadonlyArray<PgParameter>
) => Effect.Effect<Answer | null, RepositoryError>

/**
 * `repeatable`: the statement is idempotent and is retried after a lost connection. `owned`: its
 * first parameter is an organisation.
 */
export const statement =
  <Answer>(
    client: PgClient["Service"],
    operation: string,
    text: PgText | string,
    { owned = false, repeatable = false }: { readonly owned?: boolean; readonly repeatable?: boolean } = {}
  ): Statement<Answer> =>
  (...parameters) =>
    Effect.map(
      client.run({ operation, text, parameters, readOnly: repeatable, scope: scopeOf(owned, parameters) }),
      answerOf<Answer>
    )

/** A query within portfolios, which are its second parameter. Row-level security hides all other rows. */
export const reachedStatement =
  <Answer>(client: PgClient["Service"], operation: string, text: PgText) =>
  (reach: LimitedReach): Effect.Effect<Answer | null, RepositoryError> => {
    const parameters = [reach.organisationId, `{${reach.portfolioIds.join()}}`]
    return Effect.map(client.run({ operation, text, parameters, readOnly: true, scope: reach }), answerOf<Answer>)
  }

/** A look-up in all organisations, by a token, a login or a provider's name of a user: its caller knows no organisation. */
export const lookUp =
  <Answer>(client: PgClient["Service"], operation: string, text: PgText): Statement<Answer> =>
  (...parameters) =>
    Effect.map(
      client.run({ operation, text, parameters, readOnly: true, scope: "acrossOrganisations" }),
      answerOf<Answer>
    )

/** Changes rows of all organisations, each in a statement of its own: none writes rows of several. */
export const inEach = (
  organisations: Effect.Effect<ReadonlyArray<OrganisationId> | null, RepositoryError>,
  change: (organisationId: OrganisationId) => Effect.Effect<unknown, RepositoryError>
): Effect.Effect<void, RepositoryError> =>
  Effect.flatMap(organisations, (found) => Effect.forEach(found ?? [], change, { discard: true }))

// The text of the statement determines the type of its result.
const answerOf = <Answer>(rows: PgRows): Answer | null => {
  const json = rows.at(-1)?.[0]
  return typeof json === "string" ? (JSON.parse(json) as Answer) : null
}

const scopeOf = (owned: boolean, [first]: ReadonlyArray<PgParameter>): PgScope =>
  owned ? { organisationId: String(first) } : "none"

/** SQL of bytes given as hexadecimal digits, such as the digest of a token. */
export const bytes = (parameter: string): string => `decode(${parameter}::text, 'hex')`

/** SQL of an instant given in milliseconds. */
export const instant = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`

/** SQL of an instant as milliseconds. */
export const milliseconds = (column: string): string => `round(date_part('epoch', ${column}) * 1000)`
