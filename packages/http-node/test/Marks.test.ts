/** No text of a request is normalised before its combining marks are counted. */
import { describe, expect, it, vi } from "vitest"
import { document } from "./Documented.ts"
import { useServer } from "./Serving.ts"
import { unknownId, webBinding } from "./Setup.ts"

type Json = Readonly<Record<string, unknown>>

// In this order normalisation moves every second mark to the front, which takes quadratic time.
const marks = `a${"\u0301\u0316".repeat(500)}`

/** A value of the schema in which every text, and every free name of a member, has many marks. */
const hostile = (schema: Json): unknown => {
  const { additionalProperties, items, prefixItems, properties, type } = schema
  const several = Object(schema["anyOf"] ?? schema["oneOf"] ?? [])
  if (several.length > 0) return hostile(several[0])
  if (Array.isArray(prefixItems)) return prefixItems.map(hostile)
  if (type === "array") return [hostile(Object(items))]
  if (type !== "object" && properties === undefined) return type === "string" ? marks : 1
  const members = Object.entries<Json>(Object(properties)).filter(([, member]) => member["readOnly"] !== true)
  const free = typeof additionalProperties === "object" ? [[marks, hostile(Object(additionalProperties))]] : []
  return Object.fromEntries([...members.map(([name, member]) => [name, hostile(member)]), ...free])
}

const bodiesOf = ({ oneOf, ...schema }: Json): ReadonlyArray<unknown> =>
  Array.isArray(oneOf) ? oneOf.flatMap(bodiesOf) : [hostile(schema)]

const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(Object(item)).flatMap(([method, operation]) => {
    const parameters: ReadonlyArray<Json> = Object(operation["parameters"] ?? [])
    const query = parameters.flatMap(({ in: place, name }) =>
      place === "query" ? [`${name}=${encodeURIComponent(marks)}`] : []
    )
    const { schema } = Object(Object(Object(operation["requestBody"])["content"])["application/json"])
    const line = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, unknownId)}?${query.join("&")}`
    const bodies = schema === undefined ? [] : bodiesOf(schema)
    return bodies.length + query.length === 0
      ? []
      : [{ line, bodies: bodies.length === 0 ? [undefined] : bodies, method, path }]
  })
)

describe("a request full of combining marks", () => {
  const { send } = useServer(webBinding)

  it.each(operations)("is refused before any of them is normalised: $method $path", async ({ bodies, line }) => {
    const normalize = vi.spyOn(String.prototype, "normalize")
    try {
      for (const body of bodies) {
        const { status } = await send(line, body === undefined ? {} : { body })
        // The other requests have no text.
        expect(status).toBe(line.includes("=") || JSON.stringify(body).includes("\u0301") ? 400 : 404)
      }
      const given = normalize.mock.contexts.map(String).filter((text) => /\p{M}{31}/u.test(text))
      expect(given).toEqual([])
    } finally {
      normalize.mockRestore()
    }
  })

  it("names the fault at every text, and at every name of an attribute", async () => {
    const site = { siteName: marks, address: marks, capacity: 1, unit: "kW", externalId: marks, tags: [marks] }
    // A name and its value have one place.
    const { json } = await send("POST /api/sites", { body: { ...site, attributes: { [marks]: marks } } })
    expect(json.errors.map(({ code }: Json) => code)).toEqual(Array(5).fill("too_many_marks"))
  })
})
