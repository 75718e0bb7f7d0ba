import { describe, expect, it } from "vitest"
import { document } from "../Documented.ts"

/** Every value of a member with this name, anywhere below the node. */
const valuesOf = (name: string, node: unknown): ReadonlyArray<unknown> => {
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(name, value)])
}

describe("values in the OpenAPI document", () => {
  it("says which characters a text has, which days and instants there are, and how long names are", () => {
    const { properties } = document.components.schemas.Site
    const matches = (schema: unknown) => {
      const [pattern] = valuesOf("pattern", schema)
      return (value: string) => new RegExp(String(pattern), "u").test(value)
    }
    const [isName, isAddress, isTag] = [properties["siteName"], properties["address"], properties["tags"]].map(matches)
    for (const text of ["\0", "a\u0085", "a\u202e", "\ud800"]) {
      expect([isName?.(text), isAddress?.(text), isTag?.(text)]).toEqual([false, false, false])
    }
    expect(["a\r\nb", "a\nb", "a\rb", ""].map((text) => isAddress?.(text))).toEqual([true, true, false, true])
    expect([" ", " a ", "😀"].map((text) => [isName?.(text), isTag?.(text)])).toEqual([
      [false, true],
      [true, true],
      [true, true]
    ])
    expect(properties["attributes"]).toMatchObject({ propertyNames: { minLength: 1, maxLength: 100 } })
    const queryOf = (name: string) =>
      document.paths["/api/docs"].get.parameters.filter((parameter: { name: string }) => parameter.name === name)
    const isDay = matches(queryOf("validUntilBefore"))
    const isInstant = matches(queryOf("updatedAfter"))
    expect(["0000-01-01", "0001-01-01", "9999-12-31"].map(isDay)).toEqual([false, true, true])
    expect(
      ["0000-01-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T23:59:59.9+01:00"].map(
        isInstant
      )
    ).toEqual([false, false, false, true])
  })

  it("describes both modes of a bulk request, and an empty selection of sites where the query can name them", () => {
    const [modes] = valuesOf("oneOf", document.paths["/api/sites/bulk"].post.requestBody)
    expect(modes).toMatchObject([{ required: ["sites"] }, { required: ["sites", "mode"] }])
    const [selections] = valuesOf("oneOf", document.paths["/api/portfolios/{id}/sites"].delete.requestBody)
    expect(selections).toHaveLength(3)
  })
})
