/**
 * Checks the options of the Postgres adapter. An error never shows the address.
 */
import { optionCheck, secretValue } from "@solar-sites/core/options"
import { Redacted } from "effect"
import { addressRules } from "./PgAddress.ts"
import type { PgSql } from "./PgDriver.ts"
import type { PgClientOptions, PgLayerOptions } from "./PgOptions.ts"
import { schemaFault } from "./PgSchema.ts"

const { duration, names, need } = optionCheck("the Postgres adapter")

const clientNames: Readonly<Record<keyof PgClientOptions, true>> = {
  schema: true,
  queryTimeout: true,
  rowLevelSecurity: true
}

const layerNames: Readonly<Record<keyof PgLayerOptions, true>> = {
  url: true,
  ...clientNames,
  poolSize: true,
  pooler: true,
  ssl: true,
  applicationName: true,
  connectTimeout: true
}

const checkShared = ({ queryTimeout, rowLevelSecurity, schema = "solar" }: PgClientOptions): void => {
  need(schemaFault(schema) === undefined, "schema", "a name of at most 63 bytes that is free in Postgres", schema)
  const isFlag = rowLevelSecurity === undefined || typeof rowLevelSecurity === "boolean"
  need(isFlag, "rowLevelSecurity", "true or false", rowLevelSecurity)
  duration("queryTimeout", queryTimeout)
}

/** The address of checked options. */
export const checkOptions = (options: PgLayerOptions): Redacted.Redacted<string> => {
  names(options, layerNames)
  const { applicationName = "", connectTimeout, pooler, poolSize = 1 } = options
  const url = secretValue(options.url)
  for (const { form, holds } of addressRules) {
    need(typeof url === "string" && holds(url), "url", `${form}, as text or Redacted`, url)
  }
  checkShared(options)
  need(Number.isInteger(poolSize) && poolSize > 0, "poolSize", "a whole number of connections, such as 10", poolSize)
  need(pooler === undefined || /^(session|transaction)$/.test(pooler), "pooler", '"session" or "transaction"', pooler)
  need(typeof applicationName === "string", "applicationName", "a text", applicationName)
  duration("connectTimeout", connectTimeout)
  return Redacted.make(String(url))
}

/** Checks a client of the host. A client of another driver has no method `unsafe`. */
export const checkClient = (sql: PgSql, options: PgClientOptions = {}): void => {
  const isPostgresJs = typeof Object(sql).unsafe === "function"
  need(isPostgresJs, "The client", 'one of postgres.js, such as postgres("postgres://…")', sql)
  names(options, clientNames)
  checkShared(options)
}

const embeddedNames: Readonly<Record<keyof PgClientOptions | "dataDir", true>> = { dataDir: true, ...clientNames }

/** Checks the options of the embedded database. */
export const checkEmbedded = (options: PgClientOptions & { readonly dataDir: string }): void => {
  names(options, embeddedNames)
  const { dataDir } = options
  const isPath = typeof dataDir === "string" && dataDir !== ""
  need(isPath, "dataDir", 'the path of a folder, such as "./data/database"', dataDir)
  checkShared(options)
}

/** Checks an embedded database of the host, and the options beside it. */
export const checkDatabase = (database: object, options: PgClientOptions = {}): void => {
  const isPglite = typeof Reflect.get(Object(database), "execProtocolRawStream") === "function"
  need(isPglite, "The database", "a PGlite", database)
  names(options, clientNames)
  checkShared(options)
}
