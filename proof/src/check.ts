/**
 * One suite of `npx -y pnpm@10 proof`, and its properties: they run with the seed of the command line. A
 * failure is shrunk, and names the command that replays it.
 */
import { setTimeout as sleep } from "node:timers/promises"
import * as fc from "fast-check"

/** How a proof runs, from the command line. */
export interface ProofContext {
  /** The same seed makes the same steps. */
  readonly seed: number
  /** Path of fast-check to one failed case, from a replay command. */
  readonly path: string | undefined
  /** Long form; the short form of all proofs together takes at most three minutes. */
  readonly long: boolean
  /** Overrides the number of runs of either form. */
  readonly runs: number | undefined
  /** Names of targets such as `memory` or `postgres`; undefined is the proof's own choice. */
  readonly on: ReadonlyArray<string> | undefined
  /** Reports of vitest, of the reporter `json`; undefined asks vitest itself. */
  readonly reports?: ReadonlyArray<string> | undefined
  readonly log: (line: string) => void
}

export interface Proof {
  readonly name: string
  /** One sentence for `--help`. */
  readonly title: string
  /** Names that `--on` accepts. */
  readonly targets?: ReadonlyArray<string>
  /** Whether it runs only when it is named: too long or too noisy for the short form. */
  readonly named?: true
  /** Resolves with one line of figures. Rejects with what was found. */
  readonly run: (context: ProofContext) => Promise<string>
}

export type Made<A> = A extends fc.Arbitrary<infer Value> ? Value : never

/** Some of them: the same seed gives the same ones in the same order. */
export const choose = <A>(from: ReadonlyArray<A>, count: number, seed: number): ReadonlyArray<A> => {
  const length = Math.min(count, from.length)
  const some = fc.shuffledSubarray([...from], { minLength: length, maxLength: length })
  return fc.sample(some, { seed, numRuns: 1 }).flat()
}

// A case with real services can take seconds, and one failure hundreds of smaller cases.
const usualShrinkingMillis = 30_000

const progressMillis = 60_000

/**
 * The property, which reports at most once a minute how many of its runs held, and fails no more when
 * the time for shrinking is over.
 */
const watched = <A>(
  property: fc.IAsyncProperty<A>,
  shrinkingMillis: number,
  report: (held: number) => void
): fc.IAsyncProperty<A> => {
  let end = Number.POSITIVE_INFINITY
  let held = 0
  let reportedAt = performance.now()
  const run: typeof property.run = async (value) => {
    if (performance.now() > end) return null
    const failure = await property.run(value)
    if (failure !== null) end = Math.min(end, performance.now() + shrinkingMillis)
    else held += 1
    if (failure === null && performance.now() - reportedAt >= progressMillis) {
      reportedAt = performance.now()
      report(held)
    }
    return failure
  }
  return Object.assign(Object.create(property), { run })
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)

/** Rejects with the message after the time. What was started goes on. */
export const within = async <A>(millis: number, message: string, promise: Promise<A>): Promise<A> => {
  const timer = new AbortController()
  const late = sleep(Math.min(millis, 2 ** 31 - 1), undefined, { signal: timer.signal }).then(() => {
    throw new Error(message)
  })
  late.catch(() => {})
  return Promise.race([promise, late]).finally(() => timer.abort())
}

/** Rejects when the proof has not ended in this time. */
export const endsWithin = <A>(minutes: number, proof: Promise<A>): Promise<A> =>
  within(minutes * 60_000, `not over after ${minutes} minutes: it hangs, or needs more time; see --minutes`, proof)

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
  const report = (held: number) => log(`${held} of ${numRuns} runs held`)
  const details = await fc.check(watched(property, shrinkingMillis, report), parameters)
  if (!details.failed) return details.numRuns
  const replay = `npx -y pnpm@10 proof ${command} --seed ${seed} --path ${details.counterexamplePath ?? ""}`
  const message = fc.defaultReportMessage(details) ?? "failed"
  throw new Error(`${message}\n\n${messageOf(details.errorInstance)}\n\nReplay: ${replay}`)
}
