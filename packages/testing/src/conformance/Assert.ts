/**
 * Assertions of `node:assert`. A custom message there replaces the expected and actual value; here
 * they follow it.
 */
import strict from "node:assert/strict"
import { inspect } from "node:util"

interface Assert {
  readonly equal: (actual: unknown, expected: unknown, promise?: string) => void
  readonly notEqual: (actual: unknown, other: unknown, promise?: string) => void
  readonly deepEqual: (actual: unknown, expected: unknown, promise?: string) => void
  readonly match: (actual: string, pattern: RegExp, promise?: string) => void
  /** Without an expected value to compare with. The message states what was found. */
  readonly ok: (value: unknown, promise?: string) => asserts value
  readonly fail: (promise: string) => never
}

export const shown = (value: unknown): string =>
  inspect(value, { depth: 8, breakLength: 120, maxArrayLength: 30, maxStringLength: 300 })

// The message avoids the diff of `node:assert`, which takes seconds for long texts.
const checked = (check: () => void, promise: string, actual: unknown, expected: unknown): void => {
  try {
    check()
  } catch {
    const message = `${promise}\nexpected: ${shown(expected)}\nactual: ${shown(actual)}`
    throw new strict.AssertionError({ message, actual, expected, operator: "strictEqual" })
  }
}

export const assert: Assert = {
  equal: (actual, expected, promise = "the same value") =>
    checked(() => strict.equal(actual, expected, promise), promise, actual, expected),
  notEqual: (actual, other, promise = "another value") =>
    checked(() => strict.notEqual(actual, other, promise), promise, actual, `any but ${shown(other)}`),
  deepEqual: (actual, expected, promise = "the same value") =>
    checked(() => strict.deepEqual(actual, expected, promise), promise, actual, expected),
  match: (actual, pattern, promise = "a text like this") =>
    checked(() => strict.match(actual, pattern, promise), promise, actual, pattern),
  ok: (value, promise = "a value") => checked(() => strict.ok(value, promise), promise, value, "as promised"),
  fail: (promise) => strict.fail(promise)
}
