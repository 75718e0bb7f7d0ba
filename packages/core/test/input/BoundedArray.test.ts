import { CreatePortfolios, CreateSite, type Fault, faultsOf, IssueUploads, SiteIds } from "@solar-sites/core"
import { Result, Schema } from "effect"
import { describe, expect, it } from "vitest"

const options = { errors: "all", onExcessProperty: "error" } as const

/** Faults of a value from host code, and of the same value as JSON. */
const readers = (schema: Schema.Decoder<unknown>) =>
  [schema, Schema.toCodecJson(schema)].map((codec) => (value: unknown): ReadonlyArray<Fault> => {
    const result = Schema.decodeUnknownResult(codec)(value, options)
    return Result.isFailure(result) ? faultsOf(result.failure.issue) : []
  })

/** An object that nothing may look into. */
const closed = new Proxy({}, { get: () => expect.unreachable(), ownKeys: () => expect.unreachable() })

const ofClosed = (length: number) => Array.from({ length }, () => closed)

const request = { siteId: "01890000-0000-7000-8000-000000000000" }

describe("an array of an input", () => {
  it("that is too long has that one fault, and nothing in it is looked at", () => {
    for (const faults of readers(CreatePortfolios)) {
      expect(faults(ofClosed(101))).toEqual([
        { pointer: "", code: "too_many", detail: "must hold at most 100 portfolios" }
      ])
    }
    for (const faults of readers(SiteIds)) {
      expect(faults(ofClosed(1_001))).toEqual([{ pointer: "", code: "too_many", detail: "must hold at most 1000 ids" }])
    }
    const body = Schema.Union([Schema.Struct({ portfolios: CreatePortfolios }), CreatePortfolios])
    for (const faults of readers(body)) {
      expect(faults({ portfolios: ofClosed(101) })).toMatchObject([{ pointer: "/portfolios", code: "too_many" }])
      expect(faults(ofClosed(101))).toMatchObject([{ pointer: "", code: "too_many" }])
    }
  })

  it("that is too long does not hide the faults beside it", () => {
    for (const faults of readers(IssueUploads)) {
      const tooMany = { pointer: "/files", code: "too_many", detail: "must hold at most 20 files" }
      for (const fileType of ["documents", "coverImage"]) {
        expect(faults({ ...request, fileType, files: ofClosed(21) })).toEqual([tooMany])
      }
      expect(faults({ ...request, fileType: "om-documents", omRecordId: "OM-1", files: ofClosed(21) })).toEqual([
        tooMany
      ])
      expect(faults({ siteId: 1, fileType: "documents", files: ofClosed(21) })).toEqual([
        { pointer: "/siteId", code: "invalid_type", detail: "must be a string" },
        tooMany
      ])
    }
  })

  it("that holds as many as it may has the faults of its items, each at its place", () => {
    for (const faults of readers(CreatePortfolios)) {
      expect(faults([{}, { name: "A", colour: 1 }, 7])).toEqual([
        { pointer: "/0/name", code: "required", detail: "is required" },
        { pointer: "/1/colour", code: "unknown_member", detail: "is not a member that can be sent here" },
        { pointer: "/2", code: "invalid_type", detail: "must be an object" }
      ])
      expect(faults(Array.from({ length: 100 }, () => ({}))).length).toBe(100)
      expect(faults(Array.from({ length: 100 }, () => ({ name: "A" })))).toEqual([])
    }
  })

  it("must be one, and not be empty", () => {
    for (const faults of readers(SiteIds)) {
      expect(faults([])).toEqual([{ pointer: "", code: "too_few", detail: "must hold at least 1 id" }])
      expect(faults({})).toEqual([{ pointer: "", code: "invalid_type", detail: "must be an array" }])
    }
  })

  it("is described as what its items are", () => {
    const { schema } = Schema.toJsonSchemaDocument(SiteIds)
    expect(schema).toMatchObject({ type: "array", minItems: 1, maxItems: 1_000, items: { type: "string" } })
    const { schema: portfolios } = Schema.toJsonSchemaDocument(CreatePortfolios)
    expect(portfolios).toMatchObject({ maxItems: 100, items: { type: "object", required: ["name"] } })
  })
})

describe("a member that is ignored", () => {
  it("is not looked into", () => {
    for (const faults of readers(CreateSite)) {
      expect(faults({ siteName: "Long Meadow", capacity: 1, unit: "kW", id: closed, sites: [closed] })).toEqual([])
    }
    for (const faults of readers(IssueUploads)) {
      const files = [{ filename: "a.pdf", mimeType: "application/pdf" }]
      expect(faults({ ...request, fileType: "documents", files, omRecordId: closed })).toEqual([])
    }
  })
})
