import { createSearchParams } from "react-router"
import { describe, expect, it } from "vitest"
import { portfolioFilters } from "../../src/portfolios/portfolioFilters.ts"

const read = (query: string) => portfolioFilters.read(new URLSearchParams(query))

describe("the filters of portfolios", () => {
  it("have defaults, which are left out of the address", () => {
    expect(read("")).toEqual({ search: "", sort: "name", descending: false })
    expect(portfolioFilters.written(read(""))).toEqual({})
  })

  it("are the same after they were written to the address and read again", () => {
    const filters = { search: "vale & co", sort: "updatedAt", descending: true } as const
    expect(portfolioFilters.read(createSearchParams(portfolioFilters.written(filters)))).toEqual(filters)
  })

  it("ignore what they do not know", () => expect(read("sort=colour&order=up&other=1")).toEqual(read("")))
})
