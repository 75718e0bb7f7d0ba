/**
 * Statements on Citus (docs/decisions/0042). Citus does not plan most statements of the adapter, so
 * it gets their text as a parameter of a function, with placeholders for tables.
 */
import { coordinatorName, distributedTables, referenceTables } from "../citus/Tables.ts"
import type { PgSql, PgStatementOptions } from "./PgDriver.ts"
import { isRetryable, PgFailure, toFailure } from "./PgErrors.ts"
import { quoteText } from "./PgSchema.ts"
import type { PgParameter, PgRows, PgScope } from "./PgStatement.ts"
import { identified, namesIn, type PgNames, type PgText, tablesOf } from "./PgText.ts"

/** Text of a `text[]`. */
const textArray = (values: ReadonlyArray<PgParameter>): string =>
  `{${values.map((value) => (value === null ? "null" : `"${String(value).replace(/["\\]/g, "\\$&")}"`)).join(",")}}`

const isReference = (table: string): boolean => Object.hasOwn(referenceTables, table)
const isDistributed = (table: string): boolean => distributedTables.includes(table)

/**
 * How a statement is executed: on the shard of its organisation, on all nodes, by the coordinator on
 * its copies of tables, or as it is, with or without the names of the copies.
 */
type Way = "shard" | "nodes" | "coordinator" | "copies" | "plain"

interface Statement {
  readonly text: PgText
  /** The parameters, with the statement id as the last one. */
  readonly parameters: ReadonlyArray<PgParameter>
  readonly scope: PgScope
  readonly readOnly: boolean
}

const wayOf = ({ readOnly, scope }: Statement, tables: ReadonlyMap<string, boolean>): Way => {
  const names = [...tables.keys()]
  const isOwned = typeof scope === "object"
  const hasLocal = names.some((table) => !isDistributed(table) && !isReference(table))
  const hasDistributed = names.some(isDistributed)
  const changesReference = names.some((table) => isReference(table) && tables.get(table) === true)
  if (isOwned && (changesReference || (hasLocal && hasDistributed && !readOnly))) return "coordinator"
  // Changes write reference tables on the coordinator, and commits compare revisions of its copies.
  if (!hasDistributed) return hasLocal || isOwned ? "copies" : "plain"
  if (isOwned && !hasLocal) return "shard"
  return scope === "acrossOrganisations" ? "nodes" : "plain"
}

/** How a statement is sent: its text, or the format of its text and the names for its placeholders. */
interface Plan {
  readonly way: Way
  readonly format: string
  readonly tables: string
}

const planOf = (statement: Statement, names: PgNames): Plan => {
  const { parameters, text } = statement
  const found = tablesOf(text)
  const tables = [...found.keys()].filter((table) => isReference(table) || isDistributed(table))
  const way = wayOf(statement, found)
  const verbatim = (text: string): string => text.replaceAll("%", "%%")
  const ofWay: PgNames =
    way === "plain"
      ? names
      : way === "copies"
        ? { ...names, table: (table) => names.table(isReference(table) ? coordinatorName(table) : table) }
        : {
            table: (table) =>
              tables.includes(table) ? `%${tables.indexOf(table) + 1}$s` : verbatim(names.table(table)),
            routine: (name) => verbatim(names.routine(name)),
            verbatim
          }
  return { way, format: identified(text, parameters.length, ofWay), tables: textArray(tables) }
}

/** Makes plans once for each text, kind of scope and right to write, since texts are constants. */
const keptPlans = (names: PgNames): ((statement: Statement) => Plan) => {
  const kept = new WeakMap<PgText, Map<string, Plan>>()
  return (statement) => {
    const { readOnly, scope, text } = statement
    const key = `${readOnly} ${typeof scope === "object" ? "own" : scope}`
    const ofText = kept.get(text) ?? new Map<string, Plan>()
    const plan = ofText.get(key) ?? planOf(statement, names)
    kept.set(text, ofText.set(key, plan))
    return plan
  }
}

export interface PgCitus {
  /** Whether the tables are distributed; undefined before `detect`. */
  readonly isDistributed: () => boolean | undefined
  /** Asks the server. After a failure, the next statement asks again. */
  readonly detect: (client: PgSql) => Promise<boolean>
  /** Forgets prepared plans, for a statement that may have changed the schema. */
  readonly forget: () => void
  readonly execute: (client: PgSql, statement: Statement, options: PgStatementOptions) => Promise<PgRows>
}

const failureOf = (result: PromiseSettledResult<PgRows>): PgFailure | undefined =>
  result.status === "rejected" ? toFailure(result.reason) : undefined

/** `schema` is quoted. */
export const makeCitus = (schema: string): PgCitus => {
  const plans = keptPlans(namesIn(schema))
  let found: boolean | undefined
  let detection: Promise<boolean> | undefined

  return {
    isDistributed: () => found,

    detect: (client) => {
      const text = `select (to_regproc(${quoteText(`${schema}.on_shard`)}) is not null)::text`
      detection ??= Promise.resolve(client.unsafe(text, [], {}).values()).then(
        (rows) => {
          found = rows.at(-1)?.[0] === "true"
          return found
        },
        (cause) => {
          detection = undefined
          throw cause
        }
      )
      return detection
    },

    forget: () => {
      found = undefined
      detection = undefined
    },

    execute: async (client, statement, options) => {
      const { parameters, scope } = statement
      const { format, tables, way } = plans(statement)
      if (way === "plain" || way === "copies") return client.unsafe(format, [...parameters], options).values()

      const call = async (organisationId: string, name: string): Promise<PgRows> => {
        const called = `select ${schema}.${name}($1::uuid, $2::text, $3::text[], $4::text[])`
        const given = [organisationId, format, tables, textArray(parameters)]
        const rows = await client.unsafe(called, given, options).values()
        return rows.map(([row]) => JSON.parse(String(row)))
      }
      if (typeof scope === "object") return call(scope.organisationId, `on_${way}`)

      const nodes = await client.unsafe(`select id::text from ${schema}.node_organisations() id`, [], {}).values()
      const results = await Promise.allSettled(nodes.map(([id]) => call(String(id), "on_node")))
      const failures = results.flatMap((result) => failureOf(result) ?? [])
      // The work of a node that is down is found later. Nothing of it shows when all are.
      const [fault = failures.length === results.length ? failures[0] : undefined] = failures.filter(
        (failure) => !isRetryable(failure)
      )
      if (fault !== undefined) throw fault
      return results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))
    }
  }
}

export const bothSecurityAndCitus = () =>
  new PgFailure("row-level security does not work with tables that are distributed over Citus: use one of them")
