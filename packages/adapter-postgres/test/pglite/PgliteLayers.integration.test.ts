import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { type PgClient, promises, withMigrations } from "@solar-sites/adapter-postgres"
import { layer, layerConfig, layerFrom, type PgliteOptions } from "@solar-sites/adapter-postgres/pglite"
import { SolarSites } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { ConfigProvider, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copyEmptyDatabase } from "../EmptyDatabase.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "solar-sites-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const queryTimeout = "30 seconds"
const storage = MemoryAdapters.layer

/** Migrates by promises; gives the names of an organisation that is stored, and of all. */
const use = async (
  database: Parameters<typeof SolarSites.make>[0] & { readonly database: Layer.Layer<PgClient, unknown> }
) => {
  const applied = await promises.migrate(database.database)
  await using solar = SolarSites.make(database)
  await solar.organisations.create({ name: "Sunfield Energy" })
  return { applied, names: (await solar.organisations.list()).data.map(({ name }) => name) }
}

describe("an embedded database, without Effect", () => {
  it("is made for its user only, migrated and used by its layer, then by the layer of the environment", async () => {
    const database = layer({ dataDir: join(folder, "database"), queryTimeout })
    expect(await promises.pendingMigrations(database)).not.toEqual([])
    const { applied, names } = await use({ database, storage })
    expect([applied.length > 0, names]).toEqual([true, ["Sunfield Energy"]])
    expect((await stat(join(folder, "database"))).mode & 0o777, "for its user only").toBe(0o700)

    const env = { DATA_DIR: folder, QUERY_TIMEOUT: "30s" }
    const configured = Layer.provide(layerConfig, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
    const again = await use({ database: configured, storage })
    expect(again).toEqual({ applied: [], names: ["Sunfield Energy", "Sunfield Energy"] })
  })

  it("can be one of the host, which stays open", async () => {
    const dataDir = join(folder, "host")
    await copyEmptyDatabase(dataDir)
    const pglite = await PGlite.create(dataDir)
    const database = layerFrom(pglite, { queryTimeout, schema: "sites" })
    expect((await use({ database, storage })).names).toEqual(["Sunfield Energy"])
    const own = withMigrations([
      { name: "billing_0001_invoices", sql: (schema) => `create table ${schema}.invoice ()` }
    ])
    expect(await own.promises.migrate(database)).toEqual(["billing_0001_invoices"])
    const { rows } = await pglite.query("select name from sites.organisation")
    expect(rows).toEqual([{ name: "Sunfield Energy" }])
    await pglite.close()
  })

  it.each([
    [undefined, "The options of the Postgres adapter must be an object with some of dataDir, schema,"],
    [{}, 'dataDir of the Postgres adapter must be the path of a folder, such as "./data/database"; it is undefined'],
    [{ dataDir: "x", url: "postgres://" }, "the Postgres adapter has no option url; it has dataDir, schema,"]
  ])("refuses wrong options at once: %o", (options, sentence) => {
    // As from JavaScript, which checks no types.
    expect(() => layer(options as PgliteOptions)).toThrow(sentence)
    expect(() => layerFrom({} as never)).toThrow("The database of the Postgres adapter must be a PGlite")
  })
})
