/** Statements of a host on its own tables, with parameters by name, that answer one JSON value. */
import type { RepositoryError } from "@solar-sites/core"
import { Effect } from "effect"
import type { PgClient } from "../PgClient.ts"
import { answerOf } from "./PgJsonStatement.ts"
import type { PgParameter, PgScope } from "./PgStatement.ts"
import type { PgText } from "./PgText.ts"

/** SQL of each parameter, such as `$2`. The text adds the type: `${id}::uuid`. */
type Places<Parameters> = { readonly [Name in keyof Parameters]: string }

type Given<Parameters> = { readonly [Name in keyof Parameters]: PgParameter }

export interface PgNamedOptions {
  /** The statement only reads, or changes nothing more when it is repeated. Default: false. */
  readonly repeatable?: boolean
  /** It reads in all organisations, for a caller that knows none. Default: false. */
  readonly across?: boolean
}

/**
 * Runs a statement. Null if it answers no row, or null. With `portfolioIds`, row-level security hides all other rows
 * of the organisation.
 */
export type PgNamedStatement<Parameters, Answer> = (
  parameters: Parameters,
  portfolioIds?: ReadonlyArray<string> | null
) => Effect.Effect<Answer | null, RepositoryError>

const refuseList = (): never => {
  throw new TypeError("parameters of a statement are named one by one, not taken as a rest")
}

/** The text, and the names of its parameters in the order of their numbers. */
const numbered = <Parameters>(build: (places: Places<Parameters>) => PgText) => {
  const names: Array<string> = []
  const place = (name: string): string => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  }
  // Every member is the place of a parameter. None is in a list of members, as `...rest` reads it.
  const places = new Proxy({}, { get: (_, name) => place(String(name)), ownKeys: refuseList }) as Places<Parameters>
  return { text: build(places), names }
}

/**
 * Makes a statement. Its text is built once, from the places of its parameters. With a parameter `organisationId` it sees
 * the rows of this organisation alone under row-level security, without one no row of a protected table.
 */
export const statement = <Answer, Parameters extends Given<Parameters>>(
  client: PgClient["Service"],
  operation: string,
  build: (places: Places<Parameters>) => PgText,
  { across = false, repeatable = across }: PgNamedOptions = {}
): PgNamedStatement<Parameters, Answer> => {
  const { names, text } = numbered(build)
  return (given, portfolioIds = null) => {
    const values = new Map<string, PgParameter>(Object.entries(given))
    // The client refuses a parameter without a value.
    const parameters = names.map((name) => values.get(name) as PgParameter)
    const organisationId = values.get("organisationId")
    const own: PgScope = typeof organisationId === "string" ? { organisationId, portfolioIds } : "none"
    const scope = across ? "acrossOrganisations" : own
    return Effect.map(client.run({ operation, text, parameters, readOnly: repeatable, scope }), answerOf<Answer>)
  }
}
