/**
 * Messages between the run and the load generator.
 */
import type { Fixture } from "../services/database/fixture.ts"

export interface Task {
  readonly workload: string
  readonly origin: string
  /** Process id of the measured server. */
  readonly pid: number
  readonly connections: number
  /** Duration before the measurement starts. */
  readonly warmUpSeconds: number
  readonly seconds: number
}

/** Processor time and memory are null where the system does not report them. */
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
