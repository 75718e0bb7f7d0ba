/**
 * Row-level security as a second line of defence: Postgres hides the rows of other organisations from
 * a statement without a condition on the organisation, and those of other portfolios from a statement for a caller that
 * is limited to some.
 *
 * Postgres must know the organisation before it reads a row, and must forget it after the statement.
 * The settings and the statement therefore go in one message of the simple protocol. That is one round
 * trip and one transaction, also behind a pooler. The simple protocol has no parameters, so that the
 * message executes a statement that SQL has prepared.
 */
import { hash } from "node:crypto"
import { ownedTables, tablesReadAcross } from "../citus/Tables.ts"
import { quoteSchema } from "../client/PgSchema.ts"
import type { PgParameter, PgScope } from "../client/PgStatement.ts"
import { arrayText } from "../tables/SqlValues.ts"
import { portfolioPolicies, readPortfolios, writtenPortfolios } from "./PortfolioPolicies.ts"

const organisation = "solar.organisation_id"
const across = "solar.across_organisations"

const policy = (table: string, name: string, command: string, condition: string): string => `
drop policy if exists ${name} on ${table};
create policy ${name} on ${table} for ${command} using (${condition});`

/** A table of an application with rows of organisations, which its column `organisation_id` names. */
export interface SecuredTable {
  readonly name: string
  /**
   * Statements that read its rows: those of the organisation (`own`, the default), those of the scope
   * `acrossOrganisations` too, or all. Every write is limited to the organisation.
   */
  readonly readers?: "own" | "across" | "all"
}

export interface RowLevelSecurityOptions {
  /** Tables of an application in the same schema, such as those of `layerPortsWith`. */
  readonly tables?: ReadonlyArray<SecuredTable>
}

/**
 * SQL that enables row-level security on all tables of organisations in the schema (default `solar`), and on those of
 * an application. It is one transaction; run it after the migrations, and again after new ones. It applies to all
 * roles except superusers and the owner of the tables. Clients need the option `rowLevelSecurity`;
 * without it they find no rows.
 */
export const rowLevelSecuritySql = (schema = "solar", { tables = [] }: RowLevelSecurityOptions = {}): string => {
  const further = (readers: SecuredTable["readers"]) => tables.filter((one) => one.readers === readers)
  const owned = [...ownedTables, ...tables.map(({ name }) => name)]
  const readAcross = [...tablesReadAcross, ...further("across").map(({ name }) => name)]
  const table = (name: string) => `${quoteSchema(schema)}.${name}`
  const own = `organisation_id = nullif(current_setting('${organisation}', true), '')::uuid`
  const any = `current_setting('${across}', true) = 'on'`
  return [
    "begin;",
    ...owned.map((name) => `\nalter table ${table(name)} enable row level security;`),
    ...owned.map((name) => policy(table(name), "own_organisation", "all", own)),
    ...readAcross.map((name) => policy(table(name), "across_organisations", "select", any)),
    ...further("all").map(({ name }) => policy(table(name), "every_reader", "select", "true")),
    portfolioPolicies(quoteSchema(schema)),
    "\ncommit;\n"
  ].join("")
}

/** A constant with escaped backslashes, so that it does not depend on `standard_conforming_strings`. */
const constant = (value: PgParameter): string =>
  value === null ? "null" : ` E'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

type Bound = Exclude<PgScope, "none">

/**
 * The settings of portfolios. A statement that writes sees the whole organisation, since it judges unique values
 * and bounds, and writes within its portfolios alone.
 */
const limits = (portfolioIds: ReadonlyArray<string>, readOnly: boolean): string => {
  const ids = constant(arrayText(portfolioIds))
  const written = `set local ${writtenPortfolios} =${ids};\n`
  return readOnly ? `set local ${readPortfolios} =${ids};\n${written}` : written
}

/** The number of statements in front of the text of `boundText`. */
export const settingsOf = (scope: Bound, readOnly: boolean): number =>
  typeof scope === "string" || scope.portfolioIds == null ? 1 : readOnly ? 3 : 2

/** One message with the scope and the statement. The scope ends with the message. */
export const boundText = (scope: Bound, readOnly: boolean, text: string): string => {
  if (typeof scope === "string") return `set local ${across} = 'on';\n${text}`
  const { organisationId, portfolioIds } = scope
  const own = `set local ${organisation} =${constant(organisationId)};\n`
  return portfolioIds == null ? `${own}${text}` : `${own}${limits(portfolioIds, readOnly)}${text}`
}

/**
 * The same for a statement with parameters. A connection keeps the statement under a name that follows
 * from the text.
 */
export const boundExecution = (
  scope: Bound,
  readOnly: boolean,
  text: string,
  parameters: ReadonlyArray<PgParameter>
): string => {
  const name = `solar ${hash("sha1", text)}`
  const preparation = `begin if not exists (select from pg_prepared_statements where name = '${name}') then
execute${constant(`prepare "${name}" as ${text}`)}; end if; end`
  const execution = `do${constant(preparation)};\nexecute "${name}" (${parameters.map(constant).join(",")})`
  return boundText(scope, readOnly, execution)
}
