/**
 * Where ids and secrets take their randomness from. Tests put a seeded source
 * in its place.
 *
 * @since 0.1.0
 */
import { Context } from "effect"

/**
 * Gives as many bytes as asked for. By default they come from the platform's
 * cryptographic generator.
 *
 * @category services
 * @since 0.1.0
 */
export const RandomBytes = Context.Reference<(length: number) => Uint8Array>("@solar-sites/core/RandomBytes", {
  defaultValue: () => (length) => crypto.getRandomValues(new Uint8Array(length))
})
