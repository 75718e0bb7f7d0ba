/**
 * Statements on Citus (docs/decisions/0045). Citus does not plan most statements of the adapter, so
 * it gets their text as a parameter of a function, with placeholders for tables.
 */
import { coordinatorName, distributedTables, referenceTables } from "../citus/Tables.ts"
import type { PgSql, PgStatementOptions } from "./PgDriver.ts"
import { isRetryable, PgFailure, toFailure } from "./PgErrors.ts"
import { quoteText } from "./PgSchema.ts"
import type { PgParameter, PgRows, PgScope } from "./PgStatement.ts"

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

interface Route {
  readonly way: Way
  /** With placeholders for `tables`, except in the last two ways. */
  readonly text: string
  readonly tables: ReadonlyArray<string>
}

/** A statement with the column of its correlation id in the text. */
interface Correlated {
  readonly text: string
  readonly parameters: ReadonlyArray<PgParameter>
  readonly scope: PgScope
  readonly readOnly: boolean
}

export interface PgCitus {
  /** Whether the tables are distributed; undefined before `detect`. */
  readonly isDistributed: () => boolean | undefined
  /** Asks the server. After a failure, the next statement asks again. */
  readonly detect: (client: PgSql) => Promise<boolean>
  /** For a statement that may have changed the schema. */
  readonly forget: () => void
  readonly execute: (client: PgSql, statement: Correlated, options: PgStatementOptions) => Promise<PgRows>
}

const failureOf = (result: PromiseSettledResult<PgRows>): PgFailure | undefined =>
  result.status === "rejected" ? toFailure(result.reason) : undefined

/** `schema` is quoted. */
export const makeCitus = (schema: string): PgCitus => {
  const escaped = schema.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  // Without names of functions, which a bracket follows at once.
  const tableNames = new RegExp(`${escaped}\\.(\\w+)(?![\\w(])`, "g")
  const writesReference = new RegExp(
    `\\b(?:insert into|update|delete from) ${escaped}\\.(?:${Object.keys(referenceTables).join("|")})\\b`
  )
  const routes = new Map<string, Route>()
  let found: boolean | undefined
  let detection: Promise<boolean> | undefined

  const wayOf = ({ readOnly, scope, text }: Correlated, tables: ReadonlyArray<string>): Way => {
    const isOwned = typeof scope === "object"
    const hasLocal = tables.some((table) => !isDistributed(table) && !isReference(table))
    const hasDistributed = tables.some(isDistributed)
    if (isOwned && (writesReference.test(text) || (hasLocal && hasDistributed && !readOnly))) return "coordinator"
    // Commits write reference tables on the coordinator, and compare revisions of its copies.
    const readsRevisions = isOwned && /\bxmin\b/.test(text)
    if (!hasDistributed) return hasLocal || readsRevisions ? "copies" : "plain"
    if (isOwned && !hasLocal) return "shard"
    return scope === "acrossOrganisations" ? "nodes" : "plain"
  }

  const makeRoute = (statement: Correlated): Route => {
    const { text } = statement
    const named = [...new Set([...text.matchAll(tableNames)].map(([, table = ""]) => table))]
    const way = wayOf(statement, named)
    const tables = named.filter((table) => isReference(table) || isDistributed(table))
    const nameOf = (name: string, table: string): string => {
      if (way === "plain" || !tables.includes(table)) return name
      return way === "copies" ? `${schema}.${coordinatorName(table)}` : `%${tables.indexOf(table) + 1}$s`
    }
    const isFormat = way !== "plain" && way !== "copies"
    return { way, text: (isFormat ? text.replaceAll("%", "%%") : text).replaceAll(tableNames, nameOf), tables }
  }

  const routeOf = (statement: Correlated): Route => {
    const { scope, text } = statement
    const key = `${typeof scope === "object" ? "" : scope} ${text}`
    const route = routes.get(key) ?? makeRoute(statement)
    routes.set(key, route)
    return route
  }

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
      const { tables, text, way } = routeOf(statement)
      if (way === "plain" || way === "copies") return client.unsafe(text, [...parameters], options).values()

      const call = async (organisationId: string, name: string): Promise<PgRows> => {
        const called = `select ${schema}.${name}($1::uuid, $2::text, $3::text[], $4::text[])`
        const given = [organisationId, text, textArray(tables), textArray(parameters)]
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
