/**
 * Statements on Citus (docs/decisions/0045). Citus does not plan most statements of the adapter, so
 * it gets their text as a parameter of a function, with placeholders for tables.
 */
import { coordinatorName, distributedTables, referenceTables } from "../citus/Tables.ts"
import type { PgSql } from "./PgDriver.ts"
import { PgFailure } from "./PgErrors.ts"
import { quoteText } from "./PgSchema.ts"
import type { PgParameter, PgRows, PgScope } from "./PgStatement.ts"

/** A statement as Citus executes it. */
export interface CitusRoute {
  readonly text: string
  readonly parameters: (parameters: ReadonlyArray<PgParameter>, scope: PgScope) => Array<PgParameter>
  readonly rows: (answer: PgRows) => PgRows
}

/** Text of a `text[]`. */
const textArray = (values: ReadonlyArray<PgParameter>): string =>
  `{${values.map((value) => (value === null ? "null" : `"${String(value).replace(/["\\]/g, "\\$&")}"`)).join(",")}}`

const isReference = (table: string): boolean => Object.hasOwn(referenceTables, table)
const isDistributed = (table: string): boolean => distributedTables.includes(table)

type Way = "shard" | "every_shard" | "coordinator" | "copies" | "plain"

export interface PgCitus {
  /** Whether the tables are distributed; undefined before `detect`. */
  readonly isDistributed: () => boolean | undefined
  /** Asks the server. After a failure, the next statement asks again. */
  readonly detect: (client: PgSql) => Promise<boolean>
  /** For a statement that may have changed the schema. */
  readonly forget: () => void
  readonly route: (text: string, scope: PgScope, readOnly: boolean) => CitusRoute
}

/** `schema` is quoted. */
export const makeCitus = (schema: string): PgCitus => {
  const escaped = schema.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  // Without names of functions, which a bracket follows at once.
  const tableNames = new RegExp(`${escaped}\\.(\\w+)(?![\\w(])`, "g")
  const writesReference = new RegExp(
    `\\b(?:insert into|update|delete from) ${escaped}\\.(?:${Object.keys(referenceTables).join("|")})\\b`
  )
  const routes = new Map<string, CitusRoute>()
  let found: boolean | undefined
  let detection: Promise<boolean> | undefined

  const wayOf = (text: string, tables: ReadonlyArray<string>, scope: PgScope, readOnly: boolean): Way => {
    const hasLocal = tables.some((table) => !isDistributed(table) && !isReference(table))
    const hasDistributed = tables.some(isDistributed)
    if (typeof scope === "object" && (writesReference.test(text) || (hasLocal && hasDistributed && !readOnly))) {
      return "coordinator"
    }
    if (!hasDistributed) return hasLocal ? "copies" : "plain"
    if (typeof scope === "object" && !hasLocal) return "shard"
    return scope === "acrossOrganisations" ? "every_shard" : "plain"
  }

  const makeRoute = (text: string, scope: PgScope, readOnly: boolean): CitusRoute => {
    const tables = [...new Set([...text.matchAll(tableNames)].map(([, table = ""]) => table))]
    const way = wayOf(text, tables, scope, readOnly)
    if (way === "plain" || way === "copies") {
      const named = (name: string, table: string) =>
        way === "copies" && isReference(table) ? `${schema}.${coordinatorName(table)}` : name
      return { text: text.replaceAll(tableNames, named), parameters: (own) => [...own], rows: (rows) => rows }
    }
    const used = way === "coordinator" ? tables.filter((table) => isReference(table) || isDistributed(table)) : tables
    const placeholder = (name: string, table: string) => {
      const index = used.indexOf(table)
      return index < 0 ? name : `%${index + 1}$s`
    }
    const statement = text.replaceAll("%", "%%").replaceAll(tableNames, placeholder)
    const organisation = way === "every_shard" ? "" : "$4::uuid, "
    return {
      text: `select ${schema}.on_${way}(${organisation}$1::text, $2::text[], $3::text[])`,
      parameters: (own, scope) => [
        statement,
        textArray(used),
        textArray(own),
        ...(typeof scope === "object" ? [scope.organisationId] : [])
      ],
      rows: (rows) => rows.map(([row]) => JSON.parse(String(row)))
    }
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
    route: (text, scope, readOnly) => {
      const key = `${typeof scope === "object"} ${scope === "none"} ${text}`
      const route = routes.get(key) ?? makeRoute(text, scope, readOnly)
      routes.set(key, route)
      return route
    }
  }
}

export const bothSecurityAndCitus = () =>
  new PgFailure("row-level security does not work with tables that are distributed over Citus: use one of them")
