/**
 * Names of schemas in statements. All other names in statements are constants.
 */

/** Postgres cuts longer names. */
const maximumBytes = 63

/** The fault of a schema name, or undefined. */
export const schemaFault = (name: string): string | undefined => {
  if (typeof name !== "string" || name === "" || name.includes("\0") || !name.isWellFormed()) return "must be a name"
  if (Buffer.byteLength(name) > maximumBytes) return `must have at most ${maximumBytes} bytes`
  if (/^pg_/i.test(name) || name === "information_schema") return "must not be a name that Postgres keeps for itself"
  return undefined
}

/** The name in double quotes. Throws for a name with a fault. */
export const quoteSchema = (name: string): string => {
  const fault = schemaFault(name)
  if (fault !== undefined) throw new Error(`the schema of the database ${fault}`)
  return `"${name.replaceAll('"', '""')}"`
}

/** Text in single quotes, for statements without parameters. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
