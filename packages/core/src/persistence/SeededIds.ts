/**
 * Ids that stand before anything is done with them: while a claimed request
 * runs, all it makes gets ids that follow from its claim, so that running it
 * again makes the same things and not the like of them.
 *
 * @since 0.1.0
 */
import { Context, Effect } from "effect"

const maximumIds = 0x4000

/**
 * The ids that follow from a seed, a UUID of version 7: in order, always the
 * same, and others than those of any other seed. They keep the time and the count
 * of the seed, which nothing else of its process has, and give up 14 of its
 * random bits to their own number.
 *
 * @category constructors
 * @since 0.1.0
 */
export const seededIds = (seed: string): Effect.Effect<string> => {
  let taken = 0
  return Effect.suspend(() => {
    if (taken === maximumIds) return Effect.die(new Error(`A seed is good for ${maximumIds} ids`))
    const variantAndNumber = (0x8000 | taken++).toString(16)
    return Effect.succeed(`${seed.slice(0, 19)}${variantAndNumber}${seed.slice(23)}`)
  })
}

/**
 * Where ids come from instead of `IdGenerator`; null: from there.
 *
 * @category services
 * @since 0.1.0
 */
export const SeededIds = Context.Reference<Effect.Effect<string> | null>("@solar-sites/core/SeededIds", {
  defaultValue: () => null
})

/**
 * Runs an effect from the first id of the seed on.
 *
 * @category running
 * @since 0.1.0
 */
export const withSeededIds =
  (seed: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => Effect.provideService(effect, SeededIds, seededIds(seed)))
