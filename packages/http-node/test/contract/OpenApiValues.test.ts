import { describe, expect, it } from "vitest"
import { document } from "../Documented.ts"

/** Every value of a member with this name, anywhere below the node. */
const valuesOf = (name: string, node: unknown): ReadonlyArray<unknown> => {
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => [...(key === name ? [value] : []), ...valuesOf(name, value)])
}

describe("values in the OpenAPI document", () => {
  it.each(["u", ""])("says which characters a text has with the flag '%s'", (flags) => {
    const { properties } = document.components.schemas.Site
    const matches = (name: string, text: string) => {
      const [schema = properties[name]] = valuesOf(name, properties)
      const [pattern] = valuesOf("pattern", schema)
      return new RegExp(String(pattern), flags).test(text)
    }
    for (const name of ["siteName", "address", "tags"]) {
      for (const text of ["\0", "a\u0085", "a\u202e", "\ud800", "\ude00\ud83d"]) expect(matches(name, text)).toBe(false)
      expect(matches(name, "a 😀")).toBe(true)
    }
    expect(["a\r\nb", "a\nb", "a\rb", ""].map((text) => matches("address", text))).toEqual([true, true, false, true])
    expect([" ", " a ", "😀"].map((text) => [matches("siteName", text), matches("tags", text)])).toEqual([
      [false, true],
      [true, true],
      [true, true]
    ])
    const emails = ["😀@example.com", " a@b ", "a@b\ud800", "a@@b"]
    expect(emails.map((text) => matches("email", text))).toEqual([true, true, false, false])
  })

  it("says which days and instants there are, and how long names are", () => {
    const { properties } = document.components.schemas.Site
    const matches = (schema: unknown) => {
      const [pattern] = valuesOf("pattern", schema)
      return (value: string) => new RegExp(String(pattern), "u").test(value)
    }
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
