/**
 * Makes the ids of everything that is kept: UUIDs of version 7 (RFC 9562),
 * which sort by the time they were made.
 *
 * @since 0.1.0
 */
import { Clock, Context, Effect } from "effect"
import { RandomBytes } from "./RandomBytes.ts"
import { SeededIds } from "./SeededIds.ts"

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const format = (milliseconds: number, sequence: number, random: Uint8Array): string => {
  const time = milliseconds.toString(16).padStart(12, "0")
  const counter = sequence.toString(16).padStart(3, "0")
  let hex = hexOf[((random[0] ?? 0) & 0x3f) | 0x80] ?? ""
  for (let index = 1; index < 8; index++) hex += hexOf[random[index] ?? 0]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${hex.slice(0, 4)}-${hex.slice(4)}`
}

/**
 * A generator whose ids strictly ascend within this process, even when the
 * clock stands or is set back: 12 bits count on from a random start within a
 * millisecond, and then the time is taken one millisecond ahead.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUuidV7 = (): Effect.Effect<string> => {
  let lastMilliseconds = -1
  let sequence = 0
  return Effect.withFiber((fiber) => {
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const random = fiber.getRef(RandomBytes)(10)
    if (now > lastMilliseconds) {
      lastMilliseconds = now
      // The upper bit stays free, so that at least 2,048 ids fit in front of the next millisecond.
      sequence = (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & 0x7ff
    } else if (++sequence > 0xfff) {
      lastMilliseconds += 1
      sequence = 0
    }
    return Effect.succeed(format(lastMilliseconds, sequence, random))
  })
}

/**
 * The next id, in lower case. Later ids sort after earlier ones.
 *
 * @category services
 * @since 0.1.0
 */
export const IdGenerator: Context.Reference<Effect.Effect<string>> = Context.Reference(
  "@solar-sites/core/IdGenerator",
  { defaultValue: makeUuidV7 }
)

/**
 * What the rules make ids with, once they are built: prepared ones where there
 * are any, else those of the generator.
 */
export const nextIds: Effect.Effect<Effect.Effect<string>> = Effect.map(IdGenerator, (generate) =>
  Effect.flatMap(SeededIds, (prepared) => prepared ?? generate)
)
