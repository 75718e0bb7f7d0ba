import { describe, expect, it } from "vitest"
import { coverageTotalOf } from "../../src/coverage/coverageTotal.ts"

const none = { missing: 0, pending: 0, not_yet_valid: 0, valid: 0, expiring: 0, expired: 0 }
const summary = {
  asOf: "2026-11-29",
  siteCount: 120,
  completeCount: 20,
  documentTypes: [
    { documentType: "insurance", ...none, valid: 60, missing: 60 },
    { documentType: "epc", ...none, expired: 7, pending: 3 }
  ]
} as const

describe("the total of the coverage", () => {
  it.each([
    [null, null, 120],
    ["insurance", null, 120],
    ["epc", null, 10],
    ["epc", "expired", 7],
    ["insurance", "expired", 0],
    ["invoice", "missing", 0],
    // A site can miss both.
    [null, "missing", undefined]
  ] as const)("of %s, %s is %s", (documentType, state, total) =>
    expect(coverageTotalOf({ documentType, state }, summary)).toBe(total)
  )

  it("of a state is known with one kind of document", () =>
    expect(
      coverageTotalOf(
        { documentType: null, state: "missing" },
        { ...summary, documentTypes: [summary.documentTypes[0]] }
      )
    ).toBe(60))
})
