/**
 * What the run and the process that makes the load say to each other.
 */
import type { Fixture } from "../services/database/fixture.ts"

export interface Task {
  readonly work: string
  readonly origin: string
  /** The process that does the work. */
  readonly pid: number
  readonly connections: number
  /** Unmeasured, before the measured ones. */
  readonly warmUpSeconds: number
  readonly seconds: number
}

/** Processor time and memory are null where the system does not tell them. */
export interface Measurement {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly processorMicros: number | null
  readonly residentMegabytes: number | null
}

export type ToGenerator = { readonly fixture: Fixture } | { readonly task: Task }
export type FromGenerator =
  | { readonly ready: true }
  | { readonly measurement: Measurement }
  | { readonly failure: string }
