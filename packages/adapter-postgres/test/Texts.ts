/**
 * Texts of statements as a test sends them itself.
 */
import type { PgParameter, PgText } from "@solar-sites/adapter-postgres"
import { namesIn, rendered } from "../src/client/PgText.ts"

/** The text without a statement id, given the quoted schema. */
export const textIn = (schema: string, text: PgText | string): string =>
  typeof text === "string" ? text : rendered(text.parts, namesIn(schema))

const constant = (value: PgParameter | undefined): string =>
  value === undefined || value === null ? "null" : ` E'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

// Quoted parts are skipped: they may contain the text of a parameter.
const quotedOrParameter = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g

/** The statement with its parameters as constants. */
export const withConstants = (text: string, parameters: ReadonlyArray<PgParameter>): string =>
  text.replaceAll(quotedOrParameter, (found: string, index: string | undefined) =>
    index === undefined ? found : constant(parameters[Number(index) - 1])
  )
