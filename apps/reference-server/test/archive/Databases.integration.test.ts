import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ownSchemas, postgresUrl, withoutPostgres } from "../ExternalDatabase.ts"
import { pooled } from "../Pooler.ts"
import { migratedAt } from "../Prepared.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import { roundTrip } from "./RoundTrip.ts"

const schemas = ownSchemas()
const pooler = withoutPostgres ? undefined : await pooled(postgresUrl)

describe("an organisation that was exported, deleted and imported is the same", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
  })

  afterAll(async () => {
    await schemas.drop()
    await pooler?.stop()
    await folder[Symbol.asyncDispose]()
  })

  it("on an embedded database", async () => {
    const [before, after] = await roundTrip(await migratedAt(`${folder.path}/embedded`), folder.path)
    expect(after).toEqual(before)
  })

  it.skipIf(pooler === undefined)("on Postgres behind pgbouncer", async () => {
    const variables = { ...schemas.next(), ...pooler?.variables, DATA_DIR: `${folder.path}/pooled` }
    const [before, after] = await roundTrip(variables, folder.path)
    expect(after).toEqual(before)
  })
})
