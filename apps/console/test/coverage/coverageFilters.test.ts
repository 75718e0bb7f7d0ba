import { createSearchParams } from "react-router"
import { describe, expect, it } from "vitest"
import { alone, coverageFilters, isBySite, queryOf, scopeOf, sitesQueryOf } from "../../src/coverage/coverageFilters.ts"

const portfolio = "01900000-0000-7000-8000-000000000000"
const read = (query: string) => coverageFilters.read(new URLSearchParams(query))

describe("the filters of the coverage", () => {
  const filters = {
    portfolio,
    state: "expiring",
    documentType: "insurance",
    asOf: "2026-12-24",
    search: "",
    order: null
  } as const

  it("have defaults, which are left out of the address and of the query", () => {
    expect(coverageFilters.written(read(""))).toEqual({})
    expect(queryOf(read(""))).toEqual({})
  })

  it("are the same after they were written to the address and read again", () => {
    expect(coverageFilters.read(createSearchParams(coverageFilters.written(filters)))).toEqual(filters)
  })

  it("of sites are searches and orders, which the API does not combine with documents and days", () => {
    const found = read(`portfolio=${portfolio}&search=+roof+&order=desc`)
    expect(coverageFilters.written(found)).toEqual({ portfolio, search: " roof ", order: "desc" })
    expect(sitesQueryOf(found)).toEqual({ portfolioId: portfolio, q: "roof", sort: "siteName", order: "desc" })
    expect(sitesQueryOf(read("search=roof"))).toEqual({ q: "roof" })
    expect([isBySite(found), isBySite(filters), isBySite(read("search=+"))]).toEqual([true, false, false])
    expect(alone({ search: "roof" })).toEqual({ search: "roof", state: null, documentType: null, asOf: "" })
    expect(alone({ order: "asc" })).toEqual({ order: "asc", state: null, documentType: null, asOf: "" })
    expect(alone({ state: "missing" })).toEqual({ state: "missing", search: "", order: null })
    expect(alone({ asOf: "2026-12-24" })).toEqual({ asOf: "2026-12-24", search: "", order: null })
    expect(alone({ portfolio })).toEqual({ portfolio })
    expect(alone({ state: null })).toEqual({ state: null })
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
