import { createSearchParams } from "react-router"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  type DocumentFilters,
  documentFilters,
  documentViews,
  isFiltered,
  queryOf
} from "../../src/document-list/documentFilters.ts"

const portfolio = "01900000-0000-7000-8000-000000000000"
const all = documentFilters("all")
const read = (query: string, view: (typeof documentViews)[number] = "all") =>
  documentFilters(view).read(new URLSearchParams(query))

describe("the filters of documents", () => {
  afterEach(() => void vi.useRealTimers())

  it.each(documentViews)("have defaults, which are left out of the address of %s", (view) => {
    expect(documentFilters(view).written(read("", view))).toEqual({})
    expect(isFiltered(read("", view))).toBe(false)
  })

  it("are the same after they were written to the address and read again", () => {
    const filters: DocumentFilters = {
      search: "lease & more",
      documentType: "insurance",
      portfolio,
      state: "approved",
      days: 90,
      sort: "filename",
      descending: false
    }
    expect(all.read(createSearchParams(all.written(filters)))).toEqual(filters)
  })

  it("ignore what they do not know", () => {
    expect(read("type=poem&portfolio=mine&state=lost&days=8&sort=colour&other=1")).toEqual(read(""))
  })

  it.each(["search=a", "type=ppm", `portfolio=${portfolio}`, "state=failed"])("%s filters", (query) =>
    expect(isFiltered(read(query))).toBe(true)
  )
  it.each(["search=%20", "days=7", "sort=filename", "order=asc", "cursor=abc"])("%s does not", (query) =>
    expect(isFiltered(read(query))).toBe(false)
  )

  it("review the oldest uploaded documents first", () => {
    expect(queryOf("review", read("state=failed", "review"))).toEqual({
      status: "uploaded",
      sort: "createdAt",
      order: "asc"
    })
  })

  it("find current documents that expire, the last day included and the soonest first", () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-28T23:30:00Z") })
    const soonest = { current: true, sort: "validUntil", order: "asc" }
    expect(queryOf("expiring", read("", "expiring"))).toEqual({ ...soonest, validUntilBefore: "2026-12-29" })
    expect(queryOf("expiring", read("days=90", "expiring"))).toEqual({ ...soonest, validUntilBefore: "2027-02-27" })
  })

  it("are those of the API in the list of all, the newest first", () => {
    const newest = { sort: "createdAt", order: "desc" }
    expect(queryOf("all", read(""))).toEqual(newest)
    expect(queryOf("all", read("state=current"))).toEqual({ ...newest, current: true })
    expect(queryOf("all", read(`search=+sheet+&type=ppm&portfolio=${portfolio}&state=pending`))).toEqual({
      ...newest,
      status: "pending",
      q: "sheet",
      documentType: "ppm",
      portfolioId: portfolio
    })
  })
})
