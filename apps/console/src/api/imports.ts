/**
 * Imports of sites from files: columns, check, import, and the latest imports.
 */
import { exchange, exchangeCsv } from "./exchange.ts"

/** The limit of the server. */
export const maximumImportBytes = 16 * 1_048_576

/** `target`: the member that the column holds; null for an unknown header, which may mean `suggestion`. */
export interface FileColumn {
  /** From 0. Two columns can have the same header. */
  readonly index: number
  readonly header: string
  readonly target: string | null
  readonly unit: string | null
  readonly suggestion: string | null
  readonly samples: ReadonlyArray<string>
}

/** `row` 1 is the header. `column` is null for the whole row. */
export interface ImportFault {
  readonly row: number
  readonly column: string | null
  readonly code: string
  readonly detail: string
}

export interface FileColumns {
  readonly columns: ReadonlyArray<FileColumn>
  /** All that a column can hold, besides `attributes.NAME`. */
  readonly members: ReadonlyArray<string>
  readonly faults: ReadonlyArray<ImportFault>
}

interface Counts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

/** `faults` are the first 1,000 of `faultCount`; `report` has them as CSV. */
export interface ImportCheck extends Counts {
  readonly importId: string
  readonly faults: ReadonlyArray<ImportFault>
  readonly faultCount: number
  readonly report: string | null
}

/** How a file is read. The target `-` leaves a column out. */
export interface ImportOptions {
  readonly upsert: boolean
  readonly mappings: ReadonlyArray<{ readonly column: string; readonly target: string }>
}

/** `stopped`: the server was stopped. Rows up to `storedRow` are stored, of `checkedRow` in the file. */
export interface SiteImport extends Counts, ImportOptions {
  readonly id: string
  readonly userId: string
  readonly fileName: string
  readonly state: "running" | "completed" | "failed" | "stopped"
  readonly problem: string | null
  readonly checkedRow: number
  readonly storedRow: number
  readonly startedAt: string
  readonly updatedAt: string
}

const path = "/console/imports"
// For sending the file and checking all of its rows.
const timeoutMillis = 300_000

const withOptions = (path: string, { name }: File, { mappings, upsert }: ImportOptions): string =>
  `${path}?options=${encodeURIComponent(JSON.stringify({ fileName: name.slice(0, 255).toWellFormed(), upsert, mappings }))}`

export const readColumns = (file: File) =>
  exchange<FileColumns>({ method: "POST", path: `${path}/columns`, file, timeoutMillis })
export const checkImport = (file: File, options: ImportOptions) =>
  exchange<ImportCheck>({ method: "POST", path: withOptions(`${path}/check`, file, options), file, timeoutMillis })
/** The file as CSV, with a column that names the faults of each row. */
export const markFaults = (file: File, options: ImportOptions) =>
  exchangeCsv({ method: "POST", path: withOptions(`${path}/faults`, file, options), file, timeoutMillis })
/** Starts an import, or continues it: an id stores a file once. */
export const startImport = (id: string, file: File, options: ImportOptions) =>
  exchange<SiteImport>({ method: "PUT", path: withOptions(`${path}/${id}`, file, options), file, timeoutMillis })
export const listImports = () => exchange<{ readonly data: ReadonlyArray<SiteImport> }>({ method: "GET", path })
