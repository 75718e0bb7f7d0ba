import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { PgOwnClient } from "../src/client/PgDriver.ts"
import { PgFailure } from "../src/client/PgErrors.ts"
import { renewingPool } from "../src/client/PgPool.ts"
import type { PgRows } from "../src/client/PgStatement.ts"

const [second, readers] = [1_000, 5]
/** Time limit of a statement in the server. */
const allowed = 5 * second
const grace = second

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A pool, and how often it was opened. The test answers its statements. */
const setup = () => {
  let opened = 0
  let latest = Promise.withResolvers<PgRows>()
  const open = (): PgOwnClient => {
    opened += 1
    return {
      unsafe: (text) => ({
        values: () => {
          latest = Promise.withResolvers()
          const id = /'(.*)'$/.exec(text)?.[1]
          return latest.promise.then(() => [[id]])
        }
      }),
      options: { max: 2 },
      end: async () => {}
    }
  }
  const pool = renewingPool(open, { schema: "solar", statementMillis: allowed, readersPerConnection: readers })
  /** Sends a statement. */
  const begin = (readOnly = false) => {
    const { abandon, rows } = pool.send({ operation: "test", text: "", readOnly })
    rows.catch(() => {})
    const answer = latest
    const settle = async (how: () => void) => {
      how()
      await vi.advanceTimersByTimeAsync(0)
    }
    return {
      abandon,
      answer: () => settle(() => answer.resolve([])),
      fail: (code: string) => settle(() => answer.reject(new PgFailure("failed", code)))
    }
  }
  return { begin, pool, opened: () => opened }
}

const after = (millis: number) => vi.advanceTimersByTimeAsync(millis)

describe("a pool that may have lost its server", () => {
  it("is replaced when an abandoned statement has no answer within its time limit", async () => {
    const { begin, opened } = setup()
    begin().abandon()
    await after(allowed + grace - 1)
    expect(opened()).toBe(1)
    await after(1)
    expect(opened()).toBe(2)
  })

  it("watches a statement once when several callers abandon it", () => {
    const { abandon } = setup().begin()
    for (let callers = 0; callers < 3; callers++) abandon()
    expect(vi.getTimerCount()).toBe(1)
  })

  it("is not replaced when the statement is answered in time", async () => {
    const { begin, opened } = setup()
    await after(allowed)
    const statement = begin()
    statement.abandon()
    await after(allowed - 1)
    await statement.answer()
    await after(100 * second)
    expect(opened()).toBe(1)
  })

  it("stays while the server answers other statements, such as earlier ones on the connection", async () => {
    const { begin, opened } = setup()
    const [last, ...others] = Array.from({ length: readers }, () => begin(true))
    last?.abandon()
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
    begin().abandon()
    for (let passed = 0; passed < readers * allowed + grace; passed += second) {
      expect(opened()).toBe(1)
      await begin().answer()
      await after(second)
    }
    expect(opened()).toBe(2)
  })

  it("counts a refusal as an answer of the server, and a failed connection not", async () => {
    const { begin, opened } = setup()
    begin().abandon()
    await after(allowed)
    await begin().fail("23505")
    await after(allowed)
    expect(opened()).toBe(1)
    await begin().fail("CONNECT_TIMEOUT")
    await after(grace)
    expect(opened()).toBe(2)
  })

  it("is replaced once, and statements of the old connections do not count against the new", async () => {
    const { begin, opened } = setup()
    for (const statement of [begin(), begin()]) statement.abandon()
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
    const { begin, opened, pool } = setup()
    begin().abandon()
    await pool.end({ timeout: 1 })
    await after(100 * second)
    expect(opened()).toBe(1)
  })
})

describe("a statement", () => {
  it("keeps its connection to itself when it writes, and shares it when it reads", async () => {
    const given: Array<unknown> = []
    const open = (): PgOwnClient => ({
      unsafe: (_text, parameters, options) => {
        given.push(options?.onexecute?.())
        return { values: async () => [[parameters?.at(-1), true]] }
      },
      options: { max: 2 },
      end: async () => {}
    })
    const pool = renewingPool(open, { schema: "solar" })
    const text = "select 1 where $1"
    for (const readOnly of [false, true]) {
      await pool.send({ operation: "test", text, parameters: [true], readOnly }).rows
    }
    expect(given).toEqual([false, undefined])
  })
})
