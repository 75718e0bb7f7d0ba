/**
 * State of the imports of an organisation.
 */
import type { Instant } from "./Match.ts"

/** `column` is null for the whole row; without `code` every code is right. */
export interface Fault {
  readonly row: number
  readonly column: string | null
  readonly code?: string
}

/** `target` is a member, `attributes.NAME`, or `-` to leave the column out. */
export interface Mapping {
  readonly column: string
  readonly target: string
}

/** How a file is read; a repeated import needs the same. */
export interface ImportOptions {
  readonly upsert: boolean
  readonly mappings: ReadonlyArray<Mapping>
}

export interface ReadRow {
  readonly row: number
  /** As in a request; null clears. */
  readonly values: Readonly<Record<string, unknown>>
  readonly externalId: string | null
  /** Id of the site that the row changes, null of a new one. */
  readonly stored: string | null
  readonly faults: ReadonlyArray<Fault>
}

export interface Counts {
  created: number
  updated: number
  unchanged: number
}

export interface Plan {
  /** Null for faults that depend on the program that reads the file: at least one. */
  readonly faults: ReadonlyArray<Fault> | null
  readonly rows: ReadonlyArray<ReadRow>
  readonly counts: Counts
  /** Row that was read last; 0 where no row was checked. */
  readonly lastRow: number
}

/** An attempt that may be under way: the list has not shown its end. */
export interface Attempt {
  readonly requestId: string
  /** Time of its begin, in milliseconds. */
  readonly from: number
  /** Plan of the rows that are not stored yet. */
  readonly plan: Plan
  /** Counts before and after it. */
  readonly before: Counts
  readonly after: Counts
  /** The server was stopped meanwhile: it may have ended at any row. */
  isStopped: boolean
}

/** An import that has begun. After a SIGKILL of its server it is `running` for another 30 s. */
export interface SiteImport {
  readonly id: string
  userId: string
  readonly fileName: string
  readonly options: ImportOptions
  /** File and options; a repetition needs the same. */
  readonly request: string
  state: "running" | "completed" | "failed"
  checkedRow: number
  storedRow: number
  counts: Counts
  readonly startedAt: Instant
  updatedAt: Instant
  attempt: Attempt | null
  /** Sites that it has made, by row. */
  readonly made: Map<number, string>
}
