/**
 * Runs workload by workload, round by round, contestant by contestant, so that other load on the
 * machine affects all alike.
 */
import { cpus } from "node:os"
import { takesPart } from "./contestants/contestants.ts"
import { openField, type Running } from "./contestants/processes.ts"
import { startLoad } from "./load/load.ts"
import type { Measurement } from "./load/protocol.ts"
import type { Options } from "./options.ts"
import { checkParity } from "./parity/parity.ts"
import type { Progress } from "./report/progress.ts"
import { type Run, summarise, type WorkloadResults } from "./report/results.ts"
import { type Database, startDatabase } from "./services/database/database.ts"
import { documentsOfOther, freshKeyCount } from "./services/database/fixture.ts"
import type { Workload } from "./workloads.ts"

const signals = ["SIGINT", "SIGTERM"] as const

/** Seconds of warm-up: long before the first round, short for new connections before the others. */
const warmUp = (round: number, seconds: number): number => (round === 0 ? seconds : seconds / 5)

/** Rotates the order, so that no contestant always follows the same one. */
const inTurn = <A>(all: ReadonlyArray<A>, round: number): ReadonlyArray<A> => [
  ...all.slice(round % all.length),
  ...all.slice(0, round % all.length)
]

/**
 * Rejects on a signal, so that all started processes are ended. Call it after the start of
 * Postgres: its library exits on signals.
 */
const interruption = (): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of signals) {
      process.removeAllListeners(signal)
      process.on(signal, () => reject(new Error("interrupted")))
    }
  })

type OnWorkload = (results: WorkloadResults) => void
type Stops = Array<() => unknown>

const makeDatabase = async ({ large }: Options, progress: Progress, stops: Stops): Promise<Database> => {
  progress.tell(0, 0, "starting Postgres")
  const tell = ({ of, rows, what }: { readonly of: number; readonly rows: number; readonly what: string }) =>
    progress.tell(rows, of, `making rows: ${what}`)
  const database = await startDatabase({
    freshKeys: freshKeyCount,
    documents: documentsOfOther,
    large: large ? tell : undefined
  })
  stops.unshift(database.stop)
  return database
}

const startAll = async (options: Options, database: Database, progress: Progress, stops: Stops) => {
  const field = await openField(database, options.profile)
  stops.unshift(field.stop)
  const running: Array<Running> = []
  for (const contestant of options.contestants) {
    progress.tell(0, 0, `starting ${contestant.title}`)
    running.push(await field.start(contestant))
  }
  progress.tell(0, 0, "comparing answers")
  await checkParity(running, database, options.workloads)
  await database.tidy()
  const load = await startLoad(database.fixture)
  stops.unshift(load.stop)
  return { running, load }
}

const measureAll = async (
  options: Options,
  database: Database,
  progress: Progress,
  onWorkload: OnWorkload,
  stops: Stops
): Promise<Run> => {
  const startedAt = new Date().toISOString()
  const { load, running } = await startAll(options, database, progress, stops)
  const { connections, rounds, seconds } = options
  const among = (workload: Workload) => running.filter(({ contestant }) => takesPart(contestant, workload))
  const all = options.workloads.reduce((sum, workload) => sum + rounds * among(workload).length, 0)
  let done = 0

  const measure = async (workload: Workload): Promise<WorkloadResults> => {
    const measured = new Map<string, Array<Measurement>>(among(workload).map(({ contestant }) => [contestant.name, []]))
    for (let round = 0; round < rounds; round++) {
      for (const { contestant, origin, pid } of inTurn(among(workload), round)) {
        progress.tell(done, all, `${workload.title}: ${contestant.title}`)
        const warmUpSeconds = warmUp(round, seconds)
        const atOnce = Math.min(connections, workload.connections ?? connections)
        const task = { workload: workload.name, origin, pid, connections: atOnce, warmUpSeconds, seconds }
        measured.get(contestant.name)?.push(await load.measure(task))
        if (workload.writes) await database.tidy()
        done += 1
      }
    }
    return summarise(workload, measured)
  }

  const results: Array<WorkloadResults> = []
  for (const workload of options.workloads) {
    const ofWorkload = await measure(workload)
    results.push(ofWorkload)
    progress.clear()
    onWorkload(ofWorkload)
  }
  const [{ model } = { model: "unknown" }] = cpus()
  const postgres = await database.version()
  return {
    startedAt,
    machine: { processors: cpus().length, model: model.trim(), node: process.version, postgres },
    options: { large: options.large, seconds, connections, rounds },
    contestants: options.contestants.map(({ name, title }) => ({ name, title })),
    workloads: results
  }
}

/**
 * Starts everything, measures, and ends everything. `onWorkload` receives the results of each
 * workload.
 */
export const run = async (options: Options, progress: Progress, onWorkload: OnWorkload): Promise<Run> => {
  // Each ends one started thing, the newest first.
  const stops: Stops = []
  try {
    const database = await makeDatabase(options, progress, stops)
    return await Promise.race([measureAll(options, database, progress, onWorkload, stops), interruption()])
  } finally {
    progress.clear()
    for (const stop of stops) await stop()
    for (const signal of signals) process.removeAllListeners(signal)
  }
}
