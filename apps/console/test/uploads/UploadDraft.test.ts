import { describe, expect, it } from "vitest"
import { type DraftTerms, emptyTerms, faultOfDraft, isUnknownType, uploadOf } from "../../src/uploads/UploadDraft.ts"

const limits = { maximumFileBytes: 2_048, maximumCoverBytes: 1_024 }

const draft = (terms: Partial<DraftTerms> = {}, { bytes = 10, name = "plan.pdf", type = "application/pdf" } = {}) => ({
  id: 1,
  file: new File(["x"], name, { type }),
  sizeBytes: bytes,
  terms: { ...emptyTerms, ...terms }
})

const faultOf = (...given: Parameters<typeof draft>) => faultOfDraft(draft(...given), limits)

describe("a chosen file", () => {
  it("is sent without a fault", () => expect(faultOf()).toBeUndefined())

  it("is refused when it is empty, too large, or of a type that would run", () => {
    expect(faultOf({}, { bytes: 0 })).toBe("The file is empty.")
    expect(faultOf({}, { bytes: 2_049 })).toBe("Larger than 2 KiB.")
    expect(faultOf({}, { name: "page.html", type: "text/html" })).toBe(
      "Files that a browser or an operating system would run are not accepted."
    )
    expect(faultOf({}, { name: "a/b.pdf" })).toMatch(/^The filename .*\.$/)
  })

  it("is an image within its own limit as a cover", () => {
    const image = { name: "cover.png", type: "image/png" }
    expect(faultOf({ purpose: "coverImage" }, image)).toBeUndefined()
    expect(faultOf({ purpose: "coverImage" }, { ...image, bytes: 1_025 })).toBe("Larger than 1 KiB.")
    expect(faultOf({ purpose: "coverImage" })).toBe("A cover image must be image/jpeg, image/png or image/webp.")
  })

  it("names the record of an O&M document", () => {
    expect(faultOf({ purpose: "om-documents", omRecordId: " " })).toBe("Say which O&M record the file belongs to.")
    expect(faultOf({ purpose: "om-documents", omRecordId: "OM-7" })).toBeUndefined()
  })

  it("is valid for a day or longer, or without an end", () => {
    const validFrom = "2026-02-01"
    expect(faultOf({ validFrom, validUntil: "2026-01-01" })).toBe("The validity ends before it begins.")
    expect(faultOf({ validFrom, validUntil: validFrom })).toBeUndefined()
    expect(faultOf({ validFrom })).toBeUndefined()
  })

  it("is shown as unknown when the browser knows no type", () => {
    expect(isUnknownType(draft({}, { name: "layout.dwgx", type: "" }))).toBe(true)
    expect(isUnknownType(draft())).toBe(false)
  })

  it("is sent with its terms, without those of another purpose", () => {
    const terms = { documentType: "insurance", omRecordId: "OM-7", validUntil: "2027-01-01" } as const
    const sent = (purpose: DraftTerms["purpose"]) => uploadOf(draft({ ...terms, purpose }), "site").terms
    const common = { siteId: "site", validFrom: null, validUntil: "2027-01-01", replaces: null }
    expect(sent("documents")).toEqual({ ...common, purpose: "documents", omRecordId: null, documentType: "insurance" })
    expect(sent("om-documents")).toMatchObject({ omRecordId: "OM-7", documentType: "insurance" })
    expect(sent("coverImage")).toMatchObject({ omRecordId: null, documentType: null })
  })
})
