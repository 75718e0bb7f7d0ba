/**
 * Randomness that a seed decides, so that a test makes the same ids and keys
 * each time it runs.
 */
import { Effect, Random } from "effect"

/** The bytes that follow from a seed, as many as asked for. */
export const seededBytes = (seed: string | number): ((length: number) => Uint8Array) => {
  const random = Effect.runSync(Random.withSeed(Random.Random, seed))
  return (length) => Uint8Array.from({ length }, () => random.nextIntUnsafe() & 0xff)
}
