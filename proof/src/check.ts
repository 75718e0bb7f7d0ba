/**
 * Runs a property with the seed of the command line. A failure is shrunk, and names the command
 * that replays it.
 */
import * as fc from "fast-check"
import type { ProofContext } from "./Proof.ts"

/** `command` is the name of the proof and its own options. Returns the number of runs. */
export const check = async <A>(
  property: fc.IAsyncProperty<A>,
  { path, runs, seed }: ProofContext,
  command: string,
  usualRuns: number
): Promise<number> => {
  const parameters: fc.Parameters<A> = { seed, numRuns: runs ?? usualRuns, ...(path === undefined ? {} : { path }) }
  const details = await fc.check(property, parameters)
  if (!details.failed) return details.numRuns
  const replay = `npx -y pnpm@10 proof ${command} --seed ${seed} --path ${details.counterexamplePath ?? ""}`
  throw new Error(`${fc.defaultReportMessage(details) ?? "failed"}\n\nReplay: ${replay}`)
}
