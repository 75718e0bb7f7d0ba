/**
 * For bounds on how long something takes, in tests that may run on a machine
 * that is busy or stands still now and then.
 */

/** Milliseconds as this process lives them: whatever a stalled machine takes away counts as one step of ten. */
export const lived = () => {
  let steps = 0
  const timer = setInterval(() => (steps += 1), 10)
  return { millis: () => steps * 10, [Symbol.dispose]: () => clearInterval(timer) }
}
