/**
 * Measures durations in tests without counting the time in which the machine gave the process no
 * processor.
 */

/** Milliseconds of a 10 ms interval timer: a stall of any length counts as one step. */
export const activeTime = () => {
  let steps = 0
  const timer = setInterval(() => (steps += 1), 10)
  return { millis: () => steps * 10, [Symbol.dispose]: () => clearInterval(timer) }
}
