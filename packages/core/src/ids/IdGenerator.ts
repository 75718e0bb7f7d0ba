/**
 * Generator of record ids: UUIDs of version 7 (RFC 9562), which sort by creation time.
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
 * Creates a generator. Its ids strictly ascend within the process, also when the clock stands still
 * or is set back. A 12-bit counter with a random start orders ids of one millisecond; when it
 * overflows, the time runs one millisecond ahead.
 */
export const makeUuidV7 = (): Effect.Effect<string> => {
  let lastMilliseconds = -1
  let sequence = 0
  return Effect.withFiber((fiber) => {
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const random = fiber.getRef(RandomBytes)(10)
    if (now > lastMilliseconds) {
      lastMilliseconds = now
      // The upper bit is zero at the start, so that at least 2,048 ids fit into a millisecond.
      sequence = (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & 0x7ff
    } else if (++sequence > 0xfff) {
      lastMilliseconds += 1
      sequence = 0
    }
    return Effect.succeed(format(lastMilliseconds, sequence, random))
  })
}

/** The next id in lower case. Later ids sort after earlier ones. */
export const IdGenerator: Context.Reference<Effect.Effect<string>> = Context.Reference(
  "@solar-sites/core/IdGenerator",
  { defaultValue: makeUuidV7 }
)

/**
 * The id source of rule services: `SeededIds` if set for the running request, otherwise
 * `IdGenerator`.
 */
export const nextIds: Effect.Effect<Effect.Effect<string>> = Effect.map(IdGenerator, (generate) =>
  Effect.flatMap(SeededIds, (seeded) => seeded ?? generate)
)
