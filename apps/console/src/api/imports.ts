/**
 * Imports of sites from files: columns, check, import, and the latest imports.
 */
import { type Answer, ask, askCsv } from "./ask.ts"

/** The limit of the server. */
export const maximumImportBytes = 16 * 1_048_576

/** The columns of a file with the members that they may hold. */
export type FileColumns = Answer<"POST /console/imports/columns">

export type FileColumn = FileColumns["columns"][number]

export type ImportFault = FileColumns["faults"][number]

export type ImportCheck = Answer<"POST /console/imports/check">

export type SiteImport = Answer<"GET /console/imports">["data"][number]

/** How a file is read. The target `-` leaves a column out. */
export type ImportOptions = Pick<SiteImport, "upsert" | "mappings" | "portfolioId">

// For sending the file and checking all of its rows.
const timeoutMillis = 300_000

const partsOf = (file: File, { mappings, portfolioId, upsert }: ImportOptions) => {
  const fileName = file.name.slice(0, 255).toWellFormed()
  return { file, timeoutMillis, query: { options: JSON.stringify({ fileName, upsert, mappings, portfolioId }) } }
}

export const readColumns = (file: File) => ask("POST /console/imports/columns", { file, timeoutMillis })
export const checkImport = (file: File, options: ImportOptions) =>
  ask("POST /console/imports/check", partsOf(file, options))
/** The file as CSV, with a column that names the faults of each row. */
export const markFaults = (file: File, options: ImportOptions) =>
  askCsv("POST /console/imports/faults", partsOf(file, options))
/** Starts an import, or continues it: an id stores a file once. */
export const startImport = (id: string, file: File, options: ImportOptions) =>
  ask("PUT /console/imports/:id", { params: { id }, ...partsOf(file, options) })
