/**
 * Whether two kinds of requests can be told apart by their times.
 */

import { quantile } from "../load/judge.ts"

/** Answers the milliseconds of the n-th request of a kind. */
export type Measure = (kind: "a" | "b", index: number) => Promise<number>

export interface Comparison {
  /** Welch's t of the times below the 90th percentile of all, as dudect crops them. */
  readonly t: number
  /** Medians in milliseconds. */
  readonly medians: readonly [a: number, b: number]
  readonly count: number
}

const kept = 0.9

const momentsOf = (times: ReadonlyArray<number>) => {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1)
  return { mean, error: variance / times.length }
}

export const welch = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  const [one, other] = [momentsOf(a), momentsOf(b)]
  const error = Math.sqrt(one.error + other.error)
  return error === 0 ? 0 : (one.mean - other.mean) / error
}

/** Random numbers below 1 (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Measures `count` requests, in pairs of a random order, after a tenth as many to warm up. */
export const compare = async (measure: Measure, count: number, random: () => number): Promise<Comparison> => {
  const times: Record<"a" | "b", Array<number>> = { a: [], b: [] }
  const pairs = Math.ceil(count / 2)
  const warmUp = Math.ceil(pairs / 10)
  for (let index = -warmUp; index < pairs; index++) {
    const order = random() < 0.5 ? (["a", "b"] as const) : (["b", "a"] as const)
    for (const kind of order) {
      const time = await measure(kind, index + warmUp)
      if (index >= 0) times[kind].push(time)
    }
  }
  const limit = quantile([...times.a, ...times.b], kept)
  const cropped = (all: ReadonlyArray<number>) => all.filter((time) => time < limit)
  return {
    t: welch(cropped(times.a), cropped(times.b)),
    medians: [quantile(times.a, 0.5), quantile(times.b, 0.5)],
    count: pairs * 2
  }
}

/** Beyond what chance explains, for thousands of requests. */
export const isApart = ({ t }: Comparison): boolean => Math.abs(t) > 4.5

/** A gross difference: few requests on a busy machine show no smaller one. */
export const isFarApart = ({ medians: [a, b], t }: Comparison): boolean =>
  Math.abs(t) > 10 && Math.max(a, b) > 1.25 * Math.min(a, b)

/** Compares twice at most: a difference counts when a second measurement shows it in the same direction. */
export const confirmed = async (
  once: () => Promise<Comparison>,
  differs: (comparison: Comparison) => boolean
): Promise<{ readonly differs: boolean; readonly last: Comparison }> => {
  const first = await once()
  if (!differs(first)) return { differs: false, last: first }
  const second = await once()
  return { differs: differs(second) && Math.sign(first.t) === Math.sign(second.t), last: second }
}
