/**
 * Statements by postgres.js.
 */
import postgres from "postgres"
import { settings } from "../common/settings.ts"
import { orRefuse } from "../common/violations.ts"

type Parameters = ReadonlyArray<string | number | Date | Buffer | null | object>

export const openDatabase = () => {
  // Decimals are read as numbers.
  const numeric = { to: 1700, from: [1700], serialize: String, parse: Number }
  const sql = postgres(settings.databaseUrl, { max: settings.poolSize, types: { numeric } })
  // The text of a statement determines the type of its rows.
  const run = <Row extends object>(text: string, parameters: Parameters) =>
    orRefuse(sql.unsafe<Array<Row>>(text, [...parameters] as Array<postgres.ParameterOrJSON<never>>, { prepare: true }))
  return { run, close: () => sql.end() }
}
export type Database = ReturnType<typeof openDatabase>
