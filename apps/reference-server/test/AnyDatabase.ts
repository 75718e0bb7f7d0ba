/**
 * A database for tests of something else: a schema of the Postgres server of the run, on which a
 * server costs half the processor time, or else a copy of the embedded one.
 */
import { join } from "node:path"
import { ownSchemas, withoutPostgres } from "./ExternalDatabase.ts"
import { operator } from "./Operator.ts"
import { copyTo, prepared } from "./Prepared.ts"
import type { Variables } from "./SolarSitesProcess.ts"

export interface AnyDatabase {
  /** Settings of a server with its files in the folder. */
  readonly variables: Variables & { readonly DATA_DIR: string }
  /** Settings of a process beside that server: one process at a time can open an embedded database. */
  readonly beside: () => Promise<Variables>
  readonly apiKey: string
  readonly drop: () => Promise<void>
}

/** A migrated database with an organisation and a key. */
export const anyDatabase = async (folder: string): Promise<AnyDatabase> => {
  const dataDirectory = join(folder, "data")
  if (withoutPostgres) {
    const { apiKey } = await prepared()
    const beside = () => copyTo(join(folder, crypto.randomUUID()))
    return { variables: await copyTo(dataDirectory), beside, apiKey, drop: async () => {} }
  }
  const schemas = ownSchemas()
  const variables = { ...schemas.next(), DATA_DIR: dataDirectory }
  const by = operator(variables, "apply")
  const { key } = await by.createKey(await by.createOrganisation())
  await by.close()
  return { variables, beside: async () => variables, apiKey: key, drop: schemas.drop }
}
