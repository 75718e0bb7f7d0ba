/**
 * Gives the OpenAPI document the names a reader expects.
 */

// Schemas are named by their class identifiers, and one that is used with
// several statuses is listed once for each of them.
const tidyName = (key: string): string => key.replace(/^_solar-sites_core_/, "").replace(/Encoded$/, "")

const tidyReferences = (json: string): string =>
  json.replace(/"#\/components\/schemas\/([^"]+)"/g, (_, key: string) => `"#/components/schemas/${tidyName(key)}"`)

/** To be given to the contract as the transformation of its document. */
export const tidyDocument = <Document extends object>(document: Document): Document => {
  const tidied = JSON.parse(tidyReferences(JSON.stringify(document)))
  tidied.components.schemas = Object.fromEntries(
    Object.entries(tidied.components.schemas)
      .filter(([key]) => !/^Problem_\d+$/.test(key))
      .map(([key, schema]) => [tidyName(key), schema])
  )
  return tidied
}
