/**
 * Source of randomness for ids and secrets. Tests replace it with a seeded one.
 */
import { Context } from "effect"

/**
 * Pooled requests have at most the length of an id. Secrets are longer and never pass through a
 * pool.
 */
const longestPooled = 16

/**
 * One call of the platform's generator costs as much as a few hundred bytes, and every request
 * needs an id.
 */
const makePooled = (): ((length: number) => Uint8Array) => {
  const pool = new Uint8Array(4_096)
  let used = pool.length
  return (length) => {
    if (length > longestPooled) return crypto.getRandomValues(new Uint8Array(length))
    if (used + length > pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    const bytes = pool.slice(used, used + length)
    pool.fill(0, used, used + length)
    used += length
    return bytes
  }
}

/**
 * Returns the requested number of random bytes. Default: the platform's
 * cryptographic generator.
 */
export const RandomBytes = Context.Reference<(length: number) => Uint8Array>("@solar-sites/core/RandomBytes", {
  defaultValue: makePooled
})
