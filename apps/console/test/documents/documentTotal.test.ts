import { describe, expect, it } from "vitest"
import { type DocumentView, documentFilters } from "../../src/document-list/documentFilters.ts"
import { documentTotalOf } from "../../src/document-list/documentTotal.ts"

const documents = { pending: 1, uploaded: 20, approved: 300, completed: 4_000, failed: 5 }

describe("the total of found documents", () => {
  it.each<[DocumentView, string, number | undefined]>([
    ["review", "", 20],
    ["all", "", 4_326],
    ["all", "state=approved", 300],
    ["all", "state=current", undefined],
    ["all", "type=epc", undefined],
    ["review", "search=lease", undefined],
    ["expiring", "", undefined]
  ])("of the view %s with %j is %s", (view, query, total) =>
    expect(documentTotalOf(view, documentFilters(view).read(new URLSearchParams(query)), documents)).toBe(total)
  )

  it("is unknown when the overview has not counted all", () => {
    const filters = documentFilters("review").read(new URLSearchParams())
    expect(documentTotalOf("review", filters, { ...documents, completed: 100_000 })).toBeUndefined()
    expect(documentTotalOf("review", filters, undefined)).toBeUndefined()
  })
})
