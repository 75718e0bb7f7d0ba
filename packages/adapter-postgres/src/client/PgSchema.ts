/**
 * How the name of a schema gets into a statement. There are no other names in
 * our statements that somebody else has chosen.
 */

/** The longest name Postgres tells apart from a longer one, in bytes. */
const maximumBytes = 63

/** What is wrong with a schema name; `undefined` when it can be used. */
export const schemaFault = (name: string): string | undefined => {
  if (typeof name !== "string" || name === "" || name.includes("\0") || !name.isWellFormed()) return "must be a name"
  if (Buffer.byteLength(name) > maximumBytes) return `must have at most ${maximumBytes} bytes`
  if (/^pg_/i.test(name) || name === "information_schema") return "must not be a name that Postgres keeps for itself"
  return undefined
}

/** The name between double quotes, whatever it is made of. */
export const quoteSchema = (name: string): string => {
  const fault = schemaFault(name)
  if (fault !== undefined) throw new Error(`the schema of the database ${fault}`)
  return `"${name.replaceAll('"', '""')}"`
}

/** Text between single quotes, for statements that take no parameters. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
