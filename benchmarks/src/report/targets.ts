/**
 * Aims of the reference server: ratios within one run, valid on every machine.
 */
import { limitName, type Run } from "./results.ts"

interface Target {
  readonly workload: string
  /** Minimum ratio of requests per second to this contestant. */
  readonly to: string
  readonly atLeast: number
}

const reference = "solar-sites"

const targets: ReadonlyArray<Target> = [
  { workload: "list", to: limitName, atLeast: 1 },
  { workload: "create", to: limitName, atLeast: 0.75 },
  { workload: "with-sites", to: limitName, atLeast: 1 },
  { workload: "uploads-20", to: limitName, atLeast: 0.8 },
  { workload: "refused", to: limitName, atLeast: 0.6 },
  { workload: "me", to: limitName, atLeast: 0.6 },
  { workload: "list", to: "fastify-drizzle", atLeast: 1.2 },
  { workload: "create", to: "fastify-drizzle", atLeast: 1.2 },
  { workload: "list", to: "express-sequelize", atLeast: 2 },
  { workload: "create", to: "express-sequelize", atLeast: 2 }
]

/** Maximum ratio of p99 to p50 at this number of connections. */
const tail = { ratio: 2, connections: 50 }

export interface Judgement {
  readonly sentence: string
  readonly reached: boolean
}

/** Judges the measured workloads; the others are left out. */
export const judge = (run: Run): ReadonlyArray<Judgement> => {
  const find = (workload: string, contestant: string) =>
    run.workloads.find((one) => one.workload === workload)?.results.find((result) => result.contestant === contestant)
  const ratios = targets.flatMap(({ atLeast, to, workload }): ReadonlyArray<Judgement> => {
    const [own, other] = [find(workload, reference), find(workload, to)]
    if (own === undefined || other === undefined) return []
    const ratio = to === limitName && own.ratio !== null ? own.ratio : own.perSecond / other.perSecond
    const sentence = `${workload}: ${ratio.toFixed(2)} times ${to}, at least ${atLeast}`
    return [{ sentence, reached: ratio >= atLeast }]
  })
  if (run.options.connections !== tail.connections) return ratios
  const tails = run.workloads.flatMap(({ workload }): ReadonlyArray<Judgement> => {
    const own = find(workload, reference)
    if (own === undefined) return []
    const ratio = own.p99Ms / own.p50Ms
    return [
      { sentence: `${workload}: p99 ${ratio.toFixed(2)} times p50, under ${tail.ratio}`, reached: ratio < tail.ratio }
    ]
  })
  return [...ratios, ...tails]
}
