/**
 * Where ids and secrets take their randomness from. Tests put a seeded source
 * in its place.
 *
 * @since 0.1.0
 */
import { Context } from "effect"

// A call of the generator costs as much as a few hundred bytes of it, and every request has an id.
const pool = new Uint8Array(4_096)
let taken = pool.length

/** The bytes of ids. Secrets are longer, and never lie in a pool. */
const longestPooled = 16

const fromPool = (length: number): Uint8Array => {
  if (taken + length > pool.length) {
    crypto.getRandomValues(pool)
    taken = 0
  }
  const bytes = pool.slice(taken, taken + length)
  pool.fill(0, taken, taken + length)
  taken += length
  return bytes
}

/**
 * Gives as many bytes as asked for. By default they come from the platform's
 * cryptographic generator.
 *
 * @category services
 * @since 0.1.0
 */
export const RandomBytes = Context.Reference<(length: number) => Uint8Array>("@solar-sites/core/RandomBytes", {
  defaultValue: () => (length) =>
    length <= longestPooled ? fromPool(length) : crypto.getRandomValues(new Uint8Array(length))
})
