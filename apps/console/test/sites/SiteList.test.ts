import { describe, expect, it } from "vitest"
import { type ListedSite, pageCount, pageOf, type SiteView, selectSites } from "../../src/sites/SiteList.ts"

const siteOf = (members: Partial<ListedSite>): ListedSite => ({
  siteName: "Long Meadow",
  address: null,
  capacityKw: 1,
  portfolioId: null,
  ...members
})

const everything: SiteView = { search: "", portfolio: "all", order: "createdAt", descending: false }

describe("the list of sites", () => {
  const sites = [
    siteOf({ siteName: "Field 10", address: "Hÿde Lane", capacityKw: 5, portfolioId: "b" }),
    siteOf({ siteName: "field 9", address: "Mill Road", capacityKw: 700, portfolioId: "a" }),
    siteOf({ siteName: "Quarry", address: null, capacityKw: 60 })
  ]
  const nameOf = (id: string | null) => (id === "a" ? "Zulu" : id === "b" ? "Alpha" : "")
  const names = (view: Partial<SiteView>) =>
    selectSites(sites, { ...everything, ...view }, nameOf).map(({ siteName }) => siteName)

  it("finds every word in name or address, ignoring case and accents", () => {
    expect(names({ search: "hyde FIELD" })).toEqual(["Field 10"])
    expect(names({ search: "  road " })).toEqual(["field 9"])
    expect(names({ search: "field quarry" })).toEqual([])
  })

  it("filters by one portfolio, or by none", () => {
    expect(names({ portfolio: "a" })).toEqual(["field 9"])
    expect(names({ portfolio: "none" })).toEqual(["Quarry"])
  })

  it("orders by name with numbers, by capacity and by portfolio name, and leaves its input unchanged", () => {
    expect(names({ order: "siteName" })).toEqual(["field 9", "Field 10", "Quarry"])
    expect(names({ order: "capacityKw", descending: true })).toEqual(["field 9", "Quarry", "Field 10"])
    expect(names({ order: "portfolio" })).toEqual(["Quarry", "Field 10", "field 9"])
    expect(names({})).toEqual(["Field 10", "field 9", "Quarry"])
  })

  it("has a first page when it is empty", () => {
    expect([pageCount(0), pageCount(50), pageCount(51)]).toEqual([1, 1, 2])
    expect(pageOf([...Array(51).keys()], 2)).toEqual([50])
  })
})
