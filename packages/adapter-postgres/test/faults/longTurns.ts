/**
 * From now on `setImmediate` takes a millisecond, as in a process with long turns of its event loop. The driver writes
 * most statements in an immediate, so a killed connection often closes before a write.
 */
export const lengthenTurns = (): void => {
  Object.defineProperty(globalThis, "setImmediate", {
    value: (callback: (...given: ReadonlyArray<unknown>) => void, ...given: ReadonlyArray<unknown>) =>
      setTimeout(callback, 1, ...given)
  })
  // An immediate from before runs in this turn, so it need not be cleared.
  Object.defineProperty(globalThis, "clearImmediate", { value: clearTimeout })
}
