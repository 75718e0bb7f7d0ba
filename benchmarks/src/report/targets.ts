/**
 * Aims of the reference server: ratios within one run, valid on every machine.
 */
import { limitName, type Run } from "./results.ts"

interface Target {
  readonly work: string
  /** Minimum ratio of requests per second to this contestant. */
  readonly to: string
  readonly atLeast: number
}

const reference = "solar-sites"

const targets: ReadonlyArray<Target> = [
  { work: "list", to: limitName, atLeast: 1 },
  { work: "create", to: limitName, atLeast: 0.75 },
  { work: "with-sites", to: limitName, atLeast: 1 },
  { work: "uploads-20", to: limitName, atLeast: 0.8 },
  { work: "refused", to: limitName, atLeast: 0.6 },
  { work: "me", to: limitName, atLeast: 0.6 },
  { work: "list", to: "fastify-drizzle", atLeast: 1.2 },
  { work: "create", to: "fastify-drizzle", atLeast: 1.2 },
  { work: "list", to: "express-sequelize", atLeast: 2 },
  { work: "create", to: "express-sequelize", atLeast: 2 }
]

/** Maximum ratio of p99 to p50 at this number of connections. */
const tail = { ratio: 2, connections: 50 }

export interface Judgement {
  readonly sentence: string
  readonly reached: boolean
}

/** Judges the measured workloads; the others are left out. */
export const judge = (run: Run): ReadonlyArray<Judgement> => {
  const find = (work: string, contestant: string) =>
    run.works.find((one) => one.work === work)?.results.find((result) => result.contestant === contestant)
  const ratios = targets.flatMap(({ atLeast, to, work }): ReadonlyArray<Judgement> => {
    const [own, other] = [find(work, reference), find(work, to)]
    if (own === undefined || other === undefined) return []
    const ratio = to === limitName && own.ratio !== null ? own.ratio : own.perSecond / other.perSecond
    const sentence = `${work}: ${ratio.toFixed(2)} times ${to}, at least ${atLeast}`
    return [{ sentence, reached: ratio >= atLeast }]
  })
  if (run.options.connections !== tail.connections) return ratios
  const tails = run.works.flatMap(({ work }): ReadonlyArray<Judgement> => {
    const own = find(work, reference)
    if (own === undefined) return []
    const ratio = own.p99Ms / own.p50Ms
    return [
      { sentence: `${work}: p99 ${ratio.toFixed(2)} times p50, under ${tail.ratio}`, reached: ratio < tail.ratio }
    ]
  })
  return [...ratios, ...tails]
}
