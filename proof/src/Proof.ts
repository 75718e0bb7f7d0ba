/**
 * One suite of `npx -y pnpm@10 proof`.
 */

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
