/**
 * The databases that tests of accounts run on: a Postgres server and, for some tests, an embedded one, which runs the
 * same statements. Without a server all of them run on the embedded one.
 */
import { afterAll, beforeAll, it } from "vitest"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"

export type Test = (title: string, body: () => Promise<void>) => void

/** Of the titles alone, for an embedded database beside a server. */
export const only =
  (titles: ReadonlyArray<string>): Test =>
  (title, body) => {
    if (withoutPostgres || titles.includes(title)) it(title, body)
  }

/**
 * Name, whether it is missing, the settings, and how its tests are declared. Removed after all tests of the calling file.
 * `embedded` are titles of the tests that run on an embedded database, too; without one it is left out.
 */
export const accountDatabases = (
  ...embedded: ReadonlyArray<string>
): ReadonlyArray<readonly [string, boolean, () => Variables, Test]> => {
  const schemas = ownSchemas()
  const hasEmbedded = withoutPostgres || embedded.length > 0
  let folder: Awaited<ReturnType<typeof temporaryFolder>> | undefined
  let variables: Variables = {}

  beforeAll(async () => {
    if (!hasEmbedded) return
    folder = await temporaryFolder()
    variables = await migratedAt(folder.path)
  })

  afterAll(async () => {
    await schemas.drop()
    await folder?.[Symbol.asyncDispose]()
  })

  const server = ["a Postgres server", withoutPostgres, () => schemas.next(), it] as const
  return hasEmbedded ? [["an embedded database", false, () => variables, only(embedded)], server] : [server]
}
