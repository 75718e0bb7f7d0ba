/**
 * Aims of the reference server: ratios within one run, valid on every machine.
 */
import { limitName, type Run } from "./results.ts"

const reference = "solar-sites"
const framework = "fastify-drizzle"

/** Minimum ratio of requests per second to the limit. */
const toLimit: Readonly<Record<string, number>> = {
  list: 1.2,
  get: 1,
  create: 2.5,
  "create-apart": 0.9,
  update: 0.7,
  "update-apart": 0.6,
  "with-sites": 1.1,
  "uploads-20": 0.9,
  refused: 0.85,
  me: 1,
  "cache-miss": 0.9
}
/** The same to Fastify with Drizzle, for each of these workloads. */
const toFramework = 1.2
/** Maximum ratio of the p99 to that of the limit. */
const tail = 1.2

export interface Judgement {
  readonly sentence: string
  readonly reached: boolean
}

/** Judges the measured workloads; the others are left out. */
export const judge = (run: Run): ReadonlyArray<Judgement> =>
  Object.entries(toLimit).flatMap(([workload, atLeast]) => {
    const results = run.workloads.find((one) => one.workload === workload)?.results ?? []
    const find = (name: string) => results.find(({ contestant }) => contestant === name)
    const [own, limit, other] = [find(reference), find(limitName), find(framework)]
    if (own === undefined) return []
    const faster = (ratio: number, to: string, least: number): Judgement => ({
      sentence: `${workload}: ${ratio.toFixed(2)} times ${to}, at least ${least}`,
      reached: ratio >= least
    })
    const judgements: Array<Judgement> = []
    if (own.ratio !== null) judgements.push(faster(own.ratio, limitName, atLeast))
    if (other !== undefined) judgements.push(faster(own.perSecond / other.perSecond, framework, toFramework))
    if (limit !== undefined) {
      const ratio = own.p99Ms / limit.p99Ms
      const sentence = `${workload}: p99 ${ratio.toFixed(2)} times that of ${limitName}, at most ${tail}`
      judgements.push({ sentence, reached: ratio <= tail })
    }
    return judgements
  })
