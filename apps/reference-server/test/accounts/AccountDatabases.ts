/** The databases that tests of accounts run on: an embedded one and, unless missing, a Postgres server. */
import { afterAll, beforeAll } from "vitest"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"

/** Name, whether it is missing, and the settings. Removed after all tests of the calling file. */
export const accountDatabases = (): ReadonlyArray<readonly [string, boolean, () => Variables]> => {
  const schemas = ownSchemas()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let embedded: Variables

  beforeAll(async () => {
    folder = await temporaryFolder()
    embedded = await migratedAt(folder.path)
  })

  afterAll(async () => {
    await schemas.drop()
    await folder[Symbol.asyncDispose]()
  })

  return [
    ["an embedded database", false, () => embedded],
    ["a Postgres server", withoutPostgres, () => schemas.next()]
  ]
}
