/**
 * Judges the figures of a load. Pure, so that tests can show that a bad server fails.
 */
import type { Outcome } from "./sender.ts"

/** Milliseconds; 0 without values. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

export interface Overload {
  readonly seconds: number
  /** Share of the peak that has to be answered within a second. */
  readonly leastUseful: number
  /** Good answers a second at full load. */
  readonly peak: number
  readonly outcome: Outcome
  /** Probes of readiness that were not 200. */
  readonly red: number
  /** From the end of the load until requests are answered quickly. */
  readonly recoveryMillis: number
}

const usefulMillis = 1_000
const refusalMillis = 1_000
const longestRecoveryMillis = 5_000

/** Share of the peak that is answered within a second. */
export const usefulShare = ({ outcome: { good }, peak, seconds }: Overload): number =>
  good.filter((millis) => millis <= usefulMillis).length / seconds / peak

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

/** The violations; empty when every promise was kept. */
export const judgeOverload = (overload: Overload): ReadonlyArray<string> => {
  const { leastUseful, outcome, recoveryMillis, red } = overload
  const [share, refusal] = [usefulShare(overload), quantile(outcome.refused, 0.99)]
  return [
    ...(share >= leastUseful
      ? []
      : [`useful answers: ${percent(share)} of the peak, at least ${percent(leastUseful)}`]),
    ...(refusal <= refusalMillis ? [] : [`p99 of refusals: ${refusal.toFixed(0)} ms, at most ${refusalMillis}`]),
    ...(red === 0 ? [] : [`readiness was red ${red} times`]),
    ...(recoveryMillis <= longestRecoveryMillis
      ? []
      : [`recovered after ${recoveryMillis.toFixed(0)} ms, at most ${longestRecoveryMillis}`])
  ]
}

const mostSlower = 2

/** Requests of one organisation, alone and while another one disturbs. */
export const judgeNeighbour = (name: string, alone: Outcome, disturbed: Outcome): ReadonlyArray<string> => {
  const [before, during] = [quantile(alone.good, 0.99), quantile(disturbed.good, 0.99)]
  const { limited, other, refused } = disturbed
  const unserved = refused.length + limited + other
  return [
    ...(during < before * mostSlower
      ? []
      : [`${name}: p99 of another organisation ${during.toFixed(1)} ms, alone ${before.toFixed(1)} ms`]),
    ...(unserved === 0
      ? []
      : [
          `${name}: requests of another organisation were not served: 429 ${limited}, 503 ${refused.length}, others ${other}`
        ])
  ]
}
