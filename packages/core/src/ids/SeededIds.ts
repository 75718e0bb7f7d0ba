/**
 * Deterministic ids: a retried request with an idempotency key creates the same records, because
 * the ids derive from the seed of its claim.
 */
import { Context, Effect } from "effect"

const maximumIds = 0x4000

/**
 * A sequence of ids derived from a seed (a UUID of version 7). Different seeds give different ids:
 * time and counter of the seed are unique in its process and are kept. The number of the id
 * replaces 14 of the random bits.
 */
export const seededIds = (seed: string): Effect.Effect<string> => {
  let used = 0
  return Effect.suspend(() => {
    if (used === maximumIds) return Effect.die(new Error(`A seed provides at most ${maximumIds} ids`))
    const variantAndNumber = (0x8000 | used++).toString(16)
    return Effect.succeed(`${seed.slice(0, 19)}${variantAndNumber}${seed.slice(23)}`)
  })
}

/** Id source that replaces `IdGenerator`; null when ids come from `IdGenerator`. */
export const SeededIds = Context.Reference<Effect.Effect<string> | null>("@solar-sites/core/SeededIds", {
  defaultValue: () => null
})

/** Runs an effect with the ids of this seed, from the first one on. */
export const withSeededIds =
  (seed: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => Effect.provideService(effect, SeededIds, seededIds(seed)))
