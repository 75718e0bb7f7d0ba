/**
 * Results of a run: medians over the rounds, per workload and contestant.
 */
import type { Contestant } from "../contestants/contestants.ts"
import type { Measurement } from "../load/protocol.ts"
import type { Workload } from "../workloads.ts"

interface Result extends Measurement {
  readonly contestant: string
  /** Requests per second, relative to the limit. */
  readonly ratio: number | null
  readonly rounds: ReadonlyArray<Measurement>
}

export interface WorkloadResults {
  readonly workload: string
  readonly title: string
  readonly results: ReadonlyArray<Result>
}

export interface Run {
  readonly startedAt: string
  readonly machine: {
    readonly processors: number
    readonly model: string
    readonly node: string
    readonly postgres: string
  }
  readonly options: {
    readonly large: boolean
    readonly seconds: number
    readonly connections: number
    readonly rounds: number
  }
  readonly contestants: ReadonlyArray<Pick<Contestant, "name" | "title">>
  readonly workloads: ReadonlyArray<WorkloadResults>
}

export const limitName = "limit"

const medianOf = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}

const medianOrNull = (values: ReadonlyArray<number | null>): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : medianOf(known)
}

const summaryOf = (rounds: ReadonlyArray<Measurement>): Measurement => ({
  requests: rounds.reduce((sum, { requests }) => sum + requests, 0),
  perSecond: medianOf(rounds.map(({ perSecond }) => perSecond)),
  p50Ms: medianOf(rounds.map(({ p50Ms }) => p50Ms)),
  p99Ms: medianOf(rounds.map(({ p99Ms }) => p99Ms)),
  processorMicros: medianOrNull(rounds.map(({ processorMicros }) => processorMicros)),
  residentMegabytes: medianOrNull(rounds.map(({ residentMegabytes }) => residentMegabytes))
})

/** The median of the ratios of single rounds: a busy machine slows both in a round. */
export const summarise = (
  workload: Workload,
  measured: ReadonlyMap<string, ReadonlyArray<Measurement>>
): WorkloadResults => {
  const limit = measured.get(limitName)
  const results = [...measured].map(([contestant, rounds]): Result => {
    const ratios = rounds.flatMap(({ perSecond }, round) => {
      const by = limit?.[round]?.perSecond
      return by === undefined ? [] : [perSecond / by]
    })
    return { contestant, ...summaryOf(rounds), ratio: ratios.length === 0 ? null : medianOf(ratios), rounds }
  })
  return { workload: workload.name, title: workload.title, results }
}
