/**
 * Renames and simplifies the schemas of the OpenAPI document.
 */

// Schemas are named by their class identifiers; one with several statuses is listed once for each.
const tidyName = (key: string): string => key.replace(/^_solar-sites_core_/, "").replace(/Encoded$/, "")

const tidyReferences = (json: string): string =>
  json.replace(/"#\/components\/schemas\/([^"]+)"/g, (_, key: string) => `"#/components/schemas/${tidyName(key)}"`)

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Moves constraints from `allOf` into the schema: code generators treat `allOf` as an unknown type. */
const withoutAllOf = (schema: Members): Members => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf) || typeof rest["type"] !== "string") return schema
  const parts: ReadonlyArray<unknown> = allOf
  const isConstraint = (part: unknown): part is Members => isMembers(part) && !("$ref" in part) && !("type" in part)
  return parts.every(isConstraint) ? Object.assign({}, ...parts, rest) : schema
}

const instants = new Set(["createdAt", "updatedAt", "expiresAt", "lastUsedAt", "occurredAt"])

/** Adds the format of an instant to a string, or to a string or null. */
const asInstant = (schema: unknown): unknown => {
  if (!isMembers(schema)) return schema
  if (schema["type"] === "string") return { ...schema, format: "date-time" }
  return Array.isArray(schema["anyOf"]) ? { ...schema, anyOf: schema["anyOf"].map(asInstant) } : schema
}

const tidyMembers = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, instants.has(name) ? asInstant(schema) : schema])
  )

const tidySchemas = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(tidySchemas)
  if (!isMembers(node)) return node
  const tidied = Object.fromEntries(
    // Examples are no schemas, even with members that are named like those of schemas.
    Object.entries(node).map(([key, value]) => [key, /^examples?$/.test(key) ? value : tidySchemas(value)])
  )
  const { properties } = tidied
  return withoutAllOf(isMembers(properties) ? { ...tidied, properties: tidyMembers(properties) } : tidied)
}

/** Transformation of the document of the contract. */
export const tidyDocument = <Document extends object>(document: Document): Document => {
  const tidied = JSON.parse(tidyReferences(JSON.stringify(tidySchemas(document))))
  tidied.info.contact = { name: "Solar Sites" }
  tidied.components.schemas = Object.fromEntries(
    Object.entries(tidied.components.schemas)
      .filter(([key]) => !/^Problem_\d+$/.test(key))
      .map(([key, schema]) => [tidyName(key), schema])
  )
  return tidied
}
