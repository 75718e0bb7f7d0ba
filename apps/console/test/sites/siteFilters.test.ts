import { createSearchParams } from "react-router"
import { describe, expect, it } from "vitest"
import { isFiltered, siteFilters } from "../../src/sites/siteFilters.ts"

const read = (query: string) => siteFilters.read(new URLSearchParams(query))

const everything = read("")

describe("the filters of sites", () => {
  it("have defaults, which are left out of the address", () => {
    expect(everything).toMatchObject({ search: "", portfolio: "all", tags: [], sort: "siteName", descending: false })
    expect(siteFilters.written(everything)).toEqual({})
    expect(isFiltered(everything)).toBe(false)
  })

  it("are the same after they were written to the address and read again", () => {
    const filters = {
      search: "hÿde & lane",
      portfolio: "none",
      tags: ["roof", "a,b"],
      unit: "MWp",
      health: "missing",
      sort: "updatedAt",
      descending: true,
      asMap: true
    } as const
    expect(siteFilters.read(createSearchParams(siteFilters.written(filters)))).toEqual(filters)
  })

  it("ignore what they do not know", () => {
    expect(read("unit=acres&health=fine&sort=colour&order=up&view=globe&other=1")).toEqual(everything)
  })

  it.each(["search=a", "portfolio=none", "tag=roof", "unit=kW", "health=missing"])("%s filters", (query) =>
    expect(isFiltered(read(query))).toBe(true)
  )
  it.each(["search=%20", "sort=createdAt", "order=desc", "view=map", "cursor=abc"])("%s does not", (query) =>
    expect(isFiltered(read(query))).toBe(false)
  )
})
