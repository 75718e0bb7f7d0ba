/**
 * Row-level security as a second line of defence: Postgres hides the rows of other organisations from
 * a statement without a condition on the organisation.
 *
 * Postgres must know the organisation before it reads a row, and must forget it after the statement.
 * The setting and the statement therefore go in one message of the simple protocol. That is one round
 * trip and one transaction, also behind a pooler. The simple protocol has no parameters, so that the
 * message executes a statement that SQL has prepared.
 */
import { hash } from "node:crypto"
import { ownedTables, tablesReadAcross } from "../citus/Tables.ts"
import { quoteSchema } from "../client/PgSchema.ts"
import type { PgParameter, PgScope } from "../client/PgStatement.ts"

const organisation = "solar.organisation_id"
const across = "solar.across_organisations"

const policy = (table: string, name: string, command: string, condition: string): string => `
drop policy if exists ${name} on ${table};
create policy ${name} on ${table} for ${command} using (${condition});`

/**
 * SQL that enables row-level security on all tables of organisations in the schema (default `solar`).
 * It is one transaction; run it after the migrations, and again after new ones. It applies to all
 * roles except superusers and the owner of the tables. Clients need the option `rowLevelSecurity`;
 * without it they find no rows.
 */
export const rowLevelSecuritySql = (schema = "solar"): string => {
  const table = (name: string) => `${quoteSchema(schema)}.${name}`
  const own = `organisation_id = nullif(current_setting('${organisation}', true), '')::uuid`
  const any = `current_setting('${across}', true) = 'on'`
  return [
    "begin;",
    ...ownedTables.map((name) => `\nalter table ${table(name)} enable row level security;`),
    ...ownedTables.map((name) => policy(table(name), "own_organisation", "all", own)),
    ...tablesReadAcross.map((name) => policy(table(name), "across_organisations", "select", any)),
    "\ncommit;\n"
  ].join("")
}

/** A constant with escaped backslashes, so that it does not depend on `standard_conforming_strings`. */
const constant = (value: PgParameter): string =>
  value === null ? "null" : ` E'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** One message with the scope and the statement. The scope ends with the message. */
export const boundText = (scope: Exclude<PgScope, "none">, text: string): string => {
  const setting =
    scope === "acrossOrganisations"
      ? `set local ${across} = 'on'`
      : `set local ${organisation} =${constant(scope.organisationId)}`
  return `${setting};\n${text}`
}

/**
 * The same for a statement with parameters. A connection keeps the statement under a name that follows
 * from the text.
 */
export const boundExecution = (
  scope: Exclude<PgScope, "none">,
  text: string,
  parameters: ReadonlyArray<PgParameter>
): string => {
  const name = `solar ${hash("sha1", text)}`
  const preparation = `begin if not exists (select from pg_prepared_statements where name = '${name}') then
execute${constant(`prepare "${name}" as ${text}`)}; end if; end`
  return boundText(scope, `do${constant(preparation)};\nexecute "${name}" (${parameters.map(constant).join(",")})`)
}
