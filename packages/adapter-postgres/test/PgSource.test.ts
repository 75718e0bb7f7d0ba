import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { PgPool, PgSql } from "../src/client/PgDriver.ts"
import { PgFailure } from "../src/client/PgErrors.ts"
import { executing, renewingSource } from "../src/client/PgSource.ts"

const [second, readers] = [1_000, 5]
/** How long the server lets a statement run. */
const allowed = 5 * second
const grace = second

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A pool whose statements are answered by the test, and how many pools there were. */
const setup = () => {
  let opened = 0
  const open = (): PgPool => {
    opened += 1
    return { unsafe: () => ({ values: async () => [] }), options: { max: 2 }, end: async () => {} }
  }
  const source = renewingSource(open, allowed, readers)
  /** A statement that has been sent just now. */
  const begin = (onlyReads = false) => {
    const answer = Promise.withResolvers<string>()
    const { giveUp, run } = executing(source, onlyReads, () => answer.promise)
    run().then(undefined, () => {})
    const settle = async (how: () => void) => {
      how()
      await vi.advanceTimersByTimeAsync(0)
    }
    return {
      giveUp,
      answer: () => settle(() => answer.resolve("done")),
      fail: (code: string) => settle(() => answer.reject(new PgFailure("failed", code)))
    }
  }
  return { begin, source, opened: () => opened }
}

const after = (millis: number) => vi.advanceTimersByTimeAsync(millis)

describe("a pool that may have lost touch with its server", () => {
  it("is replaced when a statement that somebody gave up has no answer in all the time it may take", async () => {
    const { begin, opened } = setup()
    begin().giveUp()
    await after(allowed + grace - 1)
    expect(opened()).toBe(1)
    await after(1)
    expect(opened()).toBe(2)
  })

  it("is not replaced for what is answered, however late its caller had begun to wait", async () => {
    const { begin, opened } = setup()
    await after(allowed)
    const statement = begin()
    statement.giveUp()
    await after(allowed - 1)
    await statement.answer()
    await after(100 * second)
    expect(opened()).toBe(1)
  })

  it("is left alone while the server answers others, as it does those that are in front on a connection", async () => {
    const { begin, opened } = setup()
    const [last, ...others] = Array.from({ length: readers }, () => begin(true))
    last?.giveUp()
    for (const other of others) {
      await after(allowed - 1)
      await other.answer()
    }
    await after(allowed - 1)
    expect(opened()).toBe(1)
    await last?.answer()
    await after(100 * second)
    expect(opened()).toBe(1)
  })

  it("is replaced in the end although the server answers others", async () => {
    const { begin, opened } = setup()
    begin().giveUp()
    for (let passed = 0; passed < readers * allowed + grace; passed += second) {
      expect(opened()).toBe(1)
      await begin().answer()
      await after(second)
    }
    expect(opened()).toBe(2)
  })

  it("hears the server in a refusal, and not in a connection that could not be made", async () => {
    const { begin, opened } = setup()
    begin().giveUp()
    await after(allowed)
    await begin().fail("23505")
    await after(allowed)
    expect(opened()).toBe(1)
    await begin().fail("CONNECT_TIMEOUT")
    await after(grace)
    expect(opened()).toBe(2)
  })

  it("is replaced once, and what was left of it does not count against the next", async () => {
    const { begin, opened } = setup()
    for (const statement of [begin(), begin()]) statement.giveUp()
    await after(allowed + grace)
    expect(opened()).toBe(2)
    await after(100 * second)
    expect(opened()).toBe(2)
  })

  it("is replaced at once when it brings the answer of another statement", async () => {
    const { begin, opened } = setup()
    const [mixed, late, refused] = [begin(true), begin(true), begin(true)]
    await refused.fail("22012")
    expect(opened()).toBe(1)
    await mixed.fail("MIXED_ANSWER")
    expect(opened()).toBe(2)
    await late.fail("MIXED_ANSWER")
    expect(opened()).toBe(2)
  })

  it("is not replaced once it is closed", async () => {
    const { begin, opened, source } = setup()
    begin().giveUp()
    await source.end({ timeout: 1 })
    await after(100 * second)
    expect(opened()).toBe(1)
  })
})

describe("a statement", () => {
  it("that writes is given to a client that lets nobody wait behind it, and one that reads to one that does", async () => {
    const given: Array<unknown> = []
    const open = (): PgPool => ({
      unsafe: (_text, parameters, options) => {
        given.push(options?.onexecute?.())
        return { values: async () => [[parameters?.at(-1), true]] }
      },
      options: { max: 2 },
      end: async () => {}
    })
    const source = renewingSource(open, allowed)
    const send = (sql: PgSql) => sql.unsafe("select 1 where $1", [true], { prepare: true }).values()
    for (const onlyReads of [false, true]) await executing(source, onlyReads, send).run()
    expect(given).toEqual([false, undefined])
  })
})
