import { mainChange, sql, table } from "@solar-sites/adapter-postgres"
import { describe, expect, it } from "vitest"
import type { PgSql, PgStatementOptions } from "../src/client/PgDriver.ts"
import { hostPool } from "../src/client/PgPool.ts"
import type { PgParameter, PgRows, PgScope, PgStatement } from "../src/client/PgStatement.ts"

interface Call {
  readonly text: string
  readonly parameters: ReadonlyArray<PgParameter>
  readonly options: PgStatementOptions | undefined
}

/** A pool, and the calls of its driver. The test answers them. */
const setup = (answer: (id: unknown, call: Call) => PgRows, rowLevelSecurity = false) => {
  const calls: Array<Call> = []
  const client: PgSql = {
    options: { max: 1 },
    unsafe: (text, parameters = [], options) => ({
      values: async () => {
        const call = { text, parameters: [...parameters], options }
        calls.push(call)
        return answer(parameters.at(-1) ?? /;select '(.*)'$/.exec(text)?.[1], call)
      }
    })
  }
  const pool = hostPool(client, { schema: '"solar"', rowLevelSecurity })
  const send = (statement: Omit<PgStatement, "operation">) => pool.send({ operation: "test", ...statement }).rows
  return { calls, send }
}

const one: PgScope = { organisationId: "one" }

const mixed = expect.objectContaining({
  code: "MIXED_ANSWER",
  message: "the answer belongs to another statement; its connection cannot be trusted"
})

describe("a pool that compares statement ids", () => {
  it("gives each statement another id, which names the organisation, and answers the rows behind it", async () => {
    const { calls, send } = setup((id) => [
      [id, true, "a", 1],
      [id, true, null, 2]
    ])
    const ask = () => send({ text: "select a, b from t where x = $1", parameters: ["x"], scope: one })
    expect([await ask(), await ask()]).toEqual(
      Array.from({ length: 2 }, () => [
        ["a", 1],
        [null, 2]
      ])
    )
    expect(calls.map(({ parameters }) => parameters)).toEqual([
      ["x", "1 one"],
      ["x", "2 one"]
    ])
  })

  it("prepares one text for one statement", async () => {
    const { calls, send } = setup((id) => [[id, null]])
    const text = sql`${mainChange} update ${table("t")} set a = $1`
    for (const parameter of [1, 2]) await send({ text, parameters: [parameter] })
    const [first, second] = calls
    expect(first).toMatchObject({ parameters: [1, "1"], options: { prepare: true } })
    expect(first?.text).toContain('"identified answer" as ( update "solar".t set a = $1')
    expect(second?.text).toBe(first?.text)
  })

  it("tells an answer without rows from a row of nulls", async () => {
    const rows: Array<ReadonlyArray<unknown>> = []
    const { send } = setup((id) => rows.map((row) => [id, ...row]))
    rows.push([null, null])
    expect(await send({ text: "select $1", parameters: [1] })).toEqual([])
    rows[0] = [true, null]
    expect(await send({ text: "select $1", parameters: [1] })).toEqual([[null]])
  })

  it.each([
    ["the rows of another statement", (): Array<Array<unknown>> => [["7 two", true, "a"]]],
    ["an answer without an id", () => []],
    [
      "rows of a lost statement in front of its own",
      (id: unknown) => [
        ["7 two", true, "a"],
        [id, true, "b"]
      ]
    ]
  ])("refuses %s", async (_, answer) => {
    const { send } = setup(answer)
    await expect(send({ text: "select $1", parameters: [1] })).rejects.toEqual(mixed)
    await expect(send({ text: "select 1" })).rejects.toEqual(mixed)
    const bound = setup((id) => [[], answer(id)], true)
    await expect(bound.send({ text: "select $1", parameters: [1], scope: one })).rejects.toEqual(mixed)
  })

  it("answers no rows for an answer without them, and skips holes that a driver leaves", async () => {
    // A driver without the patch gives such a list, against its type.
    const hole = undefined as unknown as ReadonlyArray<unknown>
    const { send } = setup((id, { parameters }) => (parameters.length === 0 ? [[id]] : [hole, [id, true, "a"]]))
    expect(await send({ text: "-- nothing" })).toEqual([])
    expect(await send({ text: "select $1", parameters: [1] })).toEqual([["a"]])
    const { send: withoutRows } = setup((id) => [[id]])
    expect(await withoutRows({ text: "select $1", parameters: [1] })).toEqual([])
  })

  it("answers the rows of each of several statements", async () => {
    const { send } = setup((id) => [[["a"]], [["b"]], [[id]]])
    expect(await send({ text: "show a; show b" })).toEqual([[["a"]], [["b"]]])
  })

  it("sends the id behind statements without parameters, and leaves out its answer", async () => {
    const { calls, send } = setup((id) => [[["a"], ["b"]], [[id]]])
    expect(await send({ text: "show a -- b" })).toEqual([["a"], ["b"]])
    expect(calls[0]?.text).toBe("show a -- b\n;select '1'")
  })

  it("sends the scope in front of statements without parameters, and leaves out its answer", async () => {
    const { calls, send } = setup((id) => [[], [["a"]], [[id]]], true)
    expect(await send({ text: "select 'a'", scope: "acrossOrganisations" })).toEqual([["a"]])
    expect(calls[0]?.text).toBe("set local solar.across_organisations = 'on';\nselect 'a'\n;select '1'")
  })

  it("refuses an undefined parameter before the driver gets it", async () => {
    for (const rowLevelSecurity of [false, true]) {
      const { calls, send } = setup((id) => [[id, null]], rowLevelSecurity)
      const parameters: Array<PgParameter> = [1]
      parameters.length = 2
      const statement = { text: "select $1, $2", parameters, scope: one }
      await expect(send(statement)).rejects.toMatchObject({
        code: "UNDEFINED_PARAMETER",
        message: "parameter $2 is undefined; null is the absent value"
      })
      expect(calls).toEqual([])
    }
  })
})
