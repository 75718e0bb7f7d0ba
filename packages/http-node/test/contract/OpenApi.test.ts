import {
  ChangeDocumentStatus,
  CoverageSummary,
  CreatePortfolio,
  CreateSite,
  Document,
  DocumentRequirements,
  DownloadAddress,
  Event,
  IssuedUpload,
  IssuedUploads,
  IssueUploads,
  Portfolio,
  PortfolioWithSites,
  ReplaceRequirements,
  Site,
  SiteCoverage,
  UpdateSite
} from "@solar-sites/core/model"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { exampleRequirements, exampleSiteCoverage, exampleSummary } from "../../src/contract/CoverageExamples.ts"
import { exampleEvent } from "../../src/contract/EventsApi.ts"
import {
  exampleDocument,
  exampleDownload,
  exampleIssuedUpload,
  exampleIssuedUploads,
  exampleMe,
  exampleNewSite,
  examplePortfolio,
  exampleSite,
  exampleUploads
} from "../../src/contract/Examples.ts"
import { isProblemCode, Me, Problem, problems, SolarSitesApi } from "../../src/contract/index.ts"

const document = OpenApi.fromApi(SolarSitesApi)

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  (["get", "post", "put", "delete"] as const).flatMap((method) => {
    const operation = item[method]
    return operation === undefined ? [] : [{ line: `${method.toUpperCase()} ${path}`, operation }]
  })
)

/** Every value of a member with this name, anywhere in the document. */
const valuesOf = (name: string, node: unknown): ReadonlyArray<unknown> => {
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(name, value)])
}

describe("the OpenAPI document", () => {
  it("has an id and a summary of its own for every operation", () => {
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
    expect(new Set(operations.map(({ operation }) => operation.summary)).size).toBe(operations.length)
  })

  it("resolves every reference, and has readable schema names", () => {
    const names = Object.keys(document.components.schemas)
    expect(names.sort()).toEqual([
      "ApiKey",
      "Document",
      "DocumentRequirements",
      "Event",
      "Organisation",
      "Portfolio",
      "PortfolioWithSites",
      "Problem",
      "Site",
      "Webhook",
      "WebhookDelivery"
    ])
    for (const reference of valuesOf("$ref", document)) {
      expect(names.map((name) => `#/components/schemas/${name}`)).toContain(reference)
    }
  })

  it("describes values in the form that client generators expect", () => {
    expect(valuesOf("allOf", document)).toEqual([])
    const { properties } = document.components.schemas["Site"] as { readonly properties: Record<string, unknown> }
    expect(properties).toMatchObject({
      id: { type: "string", format: "uuid" },
      siteName: { type: "string", minLength: 1, maxLength: 200 },
      address: { anyOf: [{ type: "string", maxLength: 500 }, { type: "null" }] },
      createdAt: { type: "string", format: "date-time" }
    })
    const change = valuesOf("properties", document.paths["/api/sites/{id}"]?.put?.requestBody)
    expect(change[0]).toMatchObject({ id: { readOnly: true }, capacityKw: { readOnly: true } })
    const [alternatives] = valuesOf("oneOf", document.paths["/api/portfolios/{id}/sites"]?.post?.requestBody)
    expect(alternatives).toMatchObject([{ required: ["siteIds"] }, { required: ["siteId"] }])
    const patterns = ["sites", "portfolios"].flatMap((name) =>
      valuesOf("parameters", document.paths[`/api/${name}/{id}`]?.put).concat(
        valuesOf("parameters", document.paths[`/api/${name}`]?.post)
      )
    )
    expect(valuesOf("pattern", patterns)).toHaveLength(6)
    expect(document.info).toMatchObject({ contact: {}, license: { name: "MIT", identifier: "MIT" } })
  })

  it("lists the headers of the rate limit on every response after the limit", () => {
    for (const { line, operation } of operations.filter(({ line }) => line.includes(" /api/"))) {
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        // A missing scope comes after the limit; one operation needs none.
        const isPast = status !== "401" && !(status === "403" && line === "GET /api/me")
        expect([line, status, "ratelimit" in headers]).toEqual([line, status, isPast])
      }
    }
  })

  it("requires a key exactly under /api", () => {
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: "apiKey", in: "header", name: "x-api-key" }
    })
    for (const { line, operation } of operations) {
      expect(operation.security).toEqual(line.includes(" /api/") ? [{ apiKey: [] }] : [])
    }
  })

  it("has a valid example of every problem of every operation", () => {
    const shown = new Set<string>()
    for (const { line, operation } of operations) {
      const codes = Object.entries(operation.responses).flatMap(([status, response]) => {
        if (Number(status) < 400) return []
        return valuesOf("value", response).map((value) => {
          const problem = Schema.decodeUnknownSync(Problem)(value)
          expect([problem.status, isProblemCode(problem.code)]).toEqual([Number(status), true])
          shown.add(problem.code)
          return problem.code
        })
      })
      if (!line.includes(" /api/")) continue
      expect(codes).toEqual(expect.arrayContaining(["api_key_missing", "organisation_inactive", "internal"]))
      if (/^(?:POST|PUT)/.test(line))
        expect(codes).toEqual(expect.arrayContaining(["malformed_json", "body_too_large"]))
      if (line.includes("{id}")) expect(codes.some((code) => /_not_found$/.test(code))).toBe(true)
    }
    // Refused by the server before there is an operation.
    const before = ["malformed_request", "request_timeout", "expectation_failed", "headers_too_large"]
    expect([...shown, "method_not_allowed", ...before].sort()).toEqual(Object.keys(problems).sort())
  })

  it("has example bodies that fit their schemas", () => {
    const strict = { onExcessProperty: "error" } as const
    for (const [schema, example] of [
      [Site, exampleSite],
      [Portfolio, examplePortfolio],
      [PortfolioWithSites, { ...examplePortfolio, sites: [exampleSite] }],
      [CreateSite, exampleNewSite],
      [UpdateSite, exampleSite],
      [CreatePortfolio, examplePortfolio],
      [Me, exampleMe],
      [Document, exampleDocument],
      [ChangeDocumentStatus, exampleDocument],
      [IssueUploads, exampleUploads],
      [IssuedUpload, exampleIssuedUpload],
      [IssuedUploads, exampleIssuedUploads],
      [DownloadAddress, exampleDownload],
      [DocumentRequirements, exampleRequirements],
      [ReplaceRequirements, exampleRequirements],
      [SiteCoverage, exampleSiteCoverage],
      [CoverageSummary, exampleSummary],
      [Event, exampleEvent]
    ] as const) {
      expect(() => Schema.decodeUnknownSync<Schema.Decoder<unknown>>(schema, strict)(example)).not.toThrow()
    }
    for (const { line, operation } of operations) {
      if (operation.requestBody !== undefined)
        expect([line, valuesOf("example", operation.requestBody)]).toHaveLength(2)
    }
  })

  it("describes all forms of an upload request, and no other", () => {
    const body = document.paths["/api/docs/bulk-upload-url"]?.post?.requestBody
    expect(valuesOf("fileType", valuesOf("properties", body))).toEqual([
      { type: "string", enum: ["om-documents"] },
      { type: "string", enum: ["documents", "coverImage"] }
    ])
    expect(JSON.stringify(body)).not.toMatch(/report|refused/i)
  })

  it("states which bodies are optional, and the maximum of a page", () => {
    expect(document.paths["/api/docs/{id}/upload-url"]?.post?.requestBody).toMatchObject({ required: false })
    expect(document.paths["/api/docs/{id}"]?.put?.requestBody).toMatchObject({ required: true })
    expect(document.paths["/api/portfolios/{id}/sites"]?.delete?.requestBody).toMatchObject({ required: false })
    expect(document.paths["/api/sites"]?.get?.parameters).toContainEqual(
      expect.objectContaining({ name: "limit", schema: { type: "integer", minimum: 1, maximum: 1000 } })
    )
  })
})
