import { faultsOf, IssueHostUploads, IssueUploads } from "@solar-sites/core"
import { aSite } from "@solar-sites/testing"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"

const siteId = aSite().id
const file = { filename: "lease.pdf", mimeType: "application/pdf" }
const request = { siteId, fileType: "documents", files: [file] }

const places = (value: unknown, schema: Schema.Decoder<unknown> = IssueUploads): ReadonlyArray<string> => {
  const result = Schema.decodeUnknownResult(schema)(value, { errors: "all", onExcessProperty: "error" })
  const faults = Result.isFailure(result) ? faultsOf(result.failure.issue) : []
  return faults.map(({ code, pointer }) => `${pointer} ${code}`).toSorted()
}

describe("IssueUploads", () => {
  it("takes up to twenty files, with and without size and type", () => {
    const full = { ...file, fileSize: 0, documentType: "land_lease" }
    const nulls = { ...file, fileSize: null, documentType: null }
    expect(places({ ...request, files: [full, nulls, ...Array.from({ length: 18 }, () => file)] })).toEqual([])
  })

  it("wants an O&M record with O&M documents, and ignores it otherwise", () => {
    expect(places({ ...request, fileType: "om-documents" })).toEqual(["/omRecordId required"])
    expect(places({ ...request, fileType: "om-documents", omRecordId: "" })).toEqual(["/omRecordId too_short"])
    expect(places({ ...request, fileType: "om-documents", omRecordId: "\u0000\ud800" })).toEqual([
      "/omRecordId forbidden_character"
    ])
    expect(places({ ...request, fileType: "om-documents", omRecordId: "OM-1" })).toEqual([])
    for (const omRecordId of [null, 7, "OM-1"]) expect(places({ ...request, omRecordId })).toEqual([])
  })

  it("knows no reports over HTTP, but host code may file them", () => {
    expect(places({ ...request, fileType: "report" })).toEqual(["/fileType invalid_value"])
    expect(places({ ...request, fileType: "report" }, IssueHostUploads)).toEqual([])
    for (const [schema, detail] of [
      [IssueUploads, "must be documents, om-documents or coverImage"],
      [IssueHostUploads, "must be documents, om-documents, coverImage or report"]
    ] as const) {
      for (const omRecordId of [undefined, "OM-1"]) {
        const result = Schema.decodeUnknownResult(schema)({ ...request, fileType: "photo", omRecordId })
        expect(Result.isFailure(result) && faultsOf(result.failure.issue)).toEqual([
          { pointer: "/fileType", code: "invalid_value", detail }
        ])
      }
    }
  })

  it("takes a media type of 255 characters, and none that is longer", () => {
    const typed = (length: number) => ({ ...request, files: [file, { ...file, mimeType: "x/".padEnd(length, "y") }] })
    for (const schema of [IssueUploads, IssueHostUploads]) {
      expect(places(typed(255), schema)).toEqual([])
      expect(places(typed(256), schema)).toEqual(["/files/1/mimeType too_long"])
      // Counted like the length in a JSON Schema.
      const wide = { ...request, files: [{ ...file, mimeType: "😀".repeat(255) }] }
      expect(places(wide, schema)).toEqual([])
      expect(places(typed(900_000), schema)).toEqual(["/files/1/mimeType too_long"])
    }
  })

  it("reports every fault of an empty request", () => {
    expect(places({})).toEqual(["/fileType required", "/files required", "/siteId required"])
  })

  it("reports a wrong fileType together with all other faults", () => {
    expect(places({ siteId: "x", fileType: "photo", files: [{ ...file, fileSize: 1.5 }], extra: 1 })).toEqual([
      "/extra unknown_member",
      "/fileType invalid_value",
      "/files/0/fileSize invalid_value",
      "/siteId invalid_uuid"
    ])
  })

  it.each([
    [{ files: [] }, "/files too_few"],
    [{ files: Array.from({ length: 21 }, () => file) }, "/files too_many"],
    [{ files: [{ filename: "a" }] }, "/files/0/mimeType required"],
    [{ files: [file, { mimeType: "a/b" }] }, "/files/1/filename required"],
    [{ files: [{ ...file, fileSize: -1 }] }, "/files/0/fileSize out_of_range"],
    [{ files: [{ ...file, fileSize: "1" }] }, "/files/0/fileSize invalid_type"],
    [{ files: [{ ...file, documentType: "lease" }] }, "/files/0/documentType invalid_value"],
    [{ files: [{ ...file, documentId: "x" }] }, "/files/0/documentId unknown_member"],
    [{ files: "a" }, "/files invalid_type"]
  ])("refuses %j as a whole", (fault, place) => {
    expect(places({ ...request, ...fault })).toContain(place)
  })
})
