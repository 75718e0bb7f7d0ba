import { withJson } from "@solar-sites/core"
import { aDocument, aPortfolio, aSite } from "@solar-sites/testing"
import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { jsonData, jsonItems, jsonText } from "../src/pipeline/JsonText.ts"

const at = DateTime.makeUnsafe("2026-02-28T23:59:59.007Z")
const models = [aSite({ createdAt: at }), aSite({ updatedAt: at }), aPortfolio(), aDocument()]

describe("JSON of models", () => {
  it("equals JSON.stringify for single models, lists and items", () => {
    for (const model of models) expect(jsonText(model)).toBe(JSON.stringify(model))
    const list = { data: models, nextCursor: "next" }
    expect(jsonText(list)).toBe(JSON.stringify(list))
    expect(jsonItems(models)).toBe(models.map((model) => JSON.stringify(model)).join(","))
    expect(jsonItems([])).toBe("")
  })

  it("equals JSON.stringify for results about sites", () => {
    const sites = [aSite({ createdAt: at }), { ...aSite({ updatedAt: at }), id: null }, null]
    const results = { data: sites.map((site) => ({ result: "created", site, more: 1 })), dryRun: true }
    expect(jsonText(results)).toBe(JSON.stringify(results))
  })

  it("is taken from a list that carries its JSON, without reading its items", () => {
    const list = {
      get data(): ReadonlyArray<unknown> {
        throw new Error("looked at")
      },
      nextCursor: 'a "cursor"'
    }
    withJson(list, { texts: () => ['{"id":1}', '{"id":2}'], lastId: "2" })
    expect(jsonText(list)).toBe('{"data":[{"id":1},{"id":2}],"nextCursor":"a \\"cursor\\""}')
    expect(jsonData(list)).toBe('{"id":1},{"id":2}')
    const none = withJson({ data: [], nextCursor: null }, { texts: () => [], lastId: null })
    expect(jsonText(none)).toBe('{"data":[],"nextCursor":null}')
  })

  it("leaves other values unchanged", () => {
    for (const value of [
      { data: [] },
      { data: null },
      { createdAt: at },
      { createdAt: "x", updatedAt: "y" },
      null,
      1
    ]) {
      expect(jsonText(value)).toBe(JSON.stringify(value))
    }
  })
})
