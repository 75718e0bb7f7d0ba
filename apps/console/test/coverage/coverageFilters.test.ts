import { createSearchParams } from "react-router"
import { describe, expect, it } from "vitest"
import { coverageFilters, queryOf, scopeOf } from "../../src/coverage/coverageFilters.ts"

const portfolio = "01900000-0000-7000-8000-000000000000"
const read = (query: string) => coverageFilters.read(new URLSearchParams(query))

describe("the filters of the coverage", () => {
  const filters = { portfolio, state: "expiring", documentType: "insurance", asOf: "2026-12-24" } as const

  it("have defaults, which are left out of the address and of the query", () => {
    expect(coverageFilters.written(read(""))).toEqual({})
    expect(queryOf(read(""))).toEqual({})
  })

  it("are the same after they were written to the address and read again", () => {
    expect(coverageFilters.read(createSearchParams(coverageFilters.written(filters)))).toEqual(filters)
  })

  it("ignore what they do not know", () => {
    expect(read("portfolio=mine&state=fine&documentType=poem&asOf=2026-13-01&other=1")).toEqual(read(""))
    expect(read("asOf=tomorrow")).toEqual(read(""))
  })

  it("are those of the API, of which the summary has sites and day alone", () => {
    const scope = { portfolioId: portfolio, asOf: "2026-12-24" }
    expect(queryOf(filters)).toEqual({ ...scope, state: "expiring", documentType: "insurance" })
    expect(scopeOf(filters)).toEqual(scope)
  })
})
