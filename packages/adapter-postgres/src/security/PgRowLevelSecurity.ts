/**
 * Row-level security as a second lock: the server itself keeps a statement that
 * forgets the organisation away from the rows of all others.
 *
 * The server has to know whose statement it is before it reads a row, for
 * certain, and no longer than for that statement. Statement and organisation are
 * therefore sent in one message of the simple protocol, which is one round trip
 * and one transaction, also behind a pooler. That protocol has no parameters, so
 * they stand in the text, and nothing is prepared.
 *
 * @since 0.1.0
 */
import { quoteSchema } from "../client/PgSchema.ts"
import type { PgParameter, PgScope } from "../client/PgStatement.ts"

const organisation = "solar.organisation_id"
const across = "solar.across_organisations"

const owned = ["portfolio", "site", "document", "deleted_file", "api_key", "idempotency"]

const openings: ReadonlyArray<readonly [table: string, command: string]> = [
  ["api_key", "select"],
  ["document", "select"],
  ["deleted_file", "select"],
  ["idempotency", "select"]
]

const policy = (table: string, name: string, command: string, condition: string): string => `
drop policy if exists ${name} on ${table};
create policy ${name} on ${table} for ${command} using (${condition});`

/**
 * Switches row-level security on for all tables of the schema (default `solar`)
 * that belong to organisations: one transaction, to be run after the migrations
 * and again after new ones. It binds every role but superusers and the owner of
 * the tables, and needs clients with the option `rowLevelSecurity`; any other
 * finds nothing.
 *
 * @category migrations
 * @since 0.1.0
 */
export const rowLevelSecuritySql = (schema = "solar"): string => {
  const table = (name: string) => `${quoteSchema(schema)}.${name}`
  const own = `organisation_id = nullif(current_setting('${organisation}', true), '')::uuid`
  const any = `current_setting('${across}', true) = 'on'`
  return [
    "begin;",
    ...owned.map((name) => `\nalter table ${table(name)} enable row level security;`),
    ...owned.map((name) => policy(table(name), "own_organisation", "all", own)),
    ...openings.map(([name, command]) => policy(table(name), "across_organisations", command, any)),
    "\ncommit;\n"
  ].join("")
}

/** A constant that means the same whatever the server makes of backslashes. */
const literal = (value: PgParameter | undefined): string =>
  value === undefined || value === null ? "null" : ` E'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

// What is quoted is passed over: the name of a schema may hold what looks like a parameter.
const quotedOrParameter = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g

/** The statement with its parameters as constants in its text. */
export const withConstants = (text: string, parameters: ReadonlyArray<PgParameter>): string =>
  text.replaceAll(quotedOrParameter, (found: string, index: string | undefined) =>
    index === undefined ? found : literal(parameters[Number(index) - 1])
  )

/** The statement in one message with its scope, which ends with the message. */
export const boundText =
  (scope: Exclude<PgScope, "none">) =>
  (text: string, parameters: ReadonlyArray<PgParameter>): string => {
    const setting =
      scope === "acrossOrganisations"
        ? `set local ${across} = 'on'`
        : `set local ${organisation} =${literal(scope.organisationId)}`
    return `${setting};\n${withConstants(text, parameters)}`
  }
