import { assert, describe, it } from "vitest"
import type { Answer } from "../../src/parity/answers.ts"
import { compareAnswers } from "../../src/parity/parity.ts"

const answer = (body: unknown, changes: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...changes
})

describe("the comparison of answers", () => {
  it("accepts equal answers", () => {
    for (const followsModel of [true, false]) compareAnswers(answer({ id: 1 }), answer({ id: 1 }), followsModel)
  })

  it("refuses a further or missing member from a contestant that follows the model", () => {
    assert.throws(() => compareAnswers(answer({ id: 1 }), answer({ id: 1, note: null }), true))
    assert.throws(() => compareAnswers(answer({ id: 1, note: null }), answer({ id: 1 }), true))
  })

  it("ignores members that the first model did not have, at any depth", () => {
    compareAnswers(answer({ data: [{ id: 1 }] }), answer({ data: [{ id: 1, note: null }] }), false)
  })

  it.each([
    ["another value", answer({ data: [{ id: 2 }] })],
    ["a member that the reference server does not have", answer({ data: [{ id: 1, more: true }] })],
    ["another length", answer({ data: [] })],
    ["another status", answer({ data: [{ id: 1 }] }, { status: 201 })],
    ["another media type", answer({ data: [{ id: 1 }] }, { headers: { "content-type": "text/plain" } })]
  ])("refuses %s from every contestant", (_, different) => {
    for (const followsModel of [true, false]) {
      assert.throws(() => compareAnswers(different, answer({ data: [{ id: 1 }] }), followsModel))
    }
  })
})
