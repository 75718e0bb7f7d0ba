/**
 * Runs a property with the seed of the command line. A failure is shrunk, and names the command
 * that replays it.
 */
import { setTimeout as sleep } from "node:timers/promises"
import * as fc from "fast-check"
import type { ProofContext } from "./Proof.ts"

/** The values of a generator. */
export type Made<A> = A extends fc.Arbitrary<infer Value> ? Value : never

// A case with real services can take seconds, and one failure hundreds of smaller cases.
const usualShrinkingMillis = 30_000

/** The property, which fails no more when the time for shrinking is over. */
const withinTime = <A>(property: fc.IAsyncProperty<A>, shrinkingMillis: number): fc.IAsyncProperty<A> => {
  let end = Number.POSITIVE_INFINITY
  const run: typeof property.run = async (value) => {
    if (performance.now() > end) return null
    const failure = await property.run(value)
    if (failure !== null) end = Math.min(end, performance.now() + shrinkingMillis)
    return failure
  }
  return Object.assign(Object.create(property), { run })
}

const progressMillis = 60_000

/** The property, which reports at most once a minute how many of its runs held. */
const withProgress = <A>(
  property: fc.IAsyncProperty<A>,
  runs: number,
  log: ProofContext["log"]
): fc.IAsyncProperty<A> => {
  let held = 0
  let reportedAt = performance.now()
  const run: typeof property.run = async (value) => {
    const failure = await property.run(value)
    if (failure !== null) return failure
    held += 1
    if (performance.now() - reportedAt >= progressMillis) {
      reportedAt = performance.now()
      log(`${held} of ${runs} runs held`)
    }
    return failure
  }
  return Object.assign(Object.create(property), { run })
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)

/** Rejects when the proof has not ended in this time. What it has started goes on. */
export const endsWithin = async <A>(minutes: number, proof: Promise<A>): Promise<A> => {
  const timer = new AbortController()
  const late = sleep(Math.min(minutes * 60_000, 2 ** 31 - 1), undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not over after ${minutes} minutes: it hangs, or needs more time; see --minutes`)
  })
  late.catch(() => {})
  return Promise.race([proof, late]).finally(() => timer.abort())
}

/**
 * `command` is the name of the proof and its own options. Returns the number of runs. A replayed case
 * is not shrunk any further.
 */
export const check = async <A>(
  property: fc.IAsyncProperty<A>,
  {
    log = () => {},
    path,
    runs,
    seed
  }: Pick<ProofContext, "path" | "runs" | "seed"> & Partial<Pick<ProofContext, "log">>,
  command: string,
  usualRuns: number,
  shrinkingMillis = usualShrinkingMillis
): Promise<number> => {
  const numRuns = runs ?? usualRuns
  const parameters: fc.Parameters<A> = {
    seed,
    numRuns,
    ...(path === undefined ? {} : { path, endOnFailure: true })
  }
  const details = await fc.check(withinTime(withProgress(property, numRuns, log), shrinkingMillis), parameters)
  if (!details.failed) return details.numRuns
  const replay = `npx -y pnpm@10 proof ${command} --seed ${seed} --path ${details.counterexamplePath ?? ""}`
  const report = fc.defaultReportMessage(details) ?? "failed"
  throw new Error(`${report}\n\n${messageOf(details.errorInstance)}\n\nReplay: ${replay}`)
}
