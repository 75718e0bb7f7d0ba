import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PGlite } from "@electric-sql/pglite"
import { migrationSql } from "@solar-sites/adapter-postgres"
import { describe, expect, it } from "vitest"
import { copyEmptyDatabase } from "../../packages/adapter-postgres/test/EmptyDatabase.ts"
import { blocks, placeOf } from "../../scripts/blocks.ts"

const of = (language: string) =>
  blocks()
    .filter((block) => block.language === language && block.unrun === undefined)
    .map((block) => ({ place: placeOf(block), code: block.code }))

describe("the JSON at", () => {
  it.for(of("json"))("$place can be read", ({ code }) => {
    expect(() => JSON.parse(code)).not.toThrow()
  })
})

describe("the SQL at", () => {
  it.for(of("sql"))("$place runs on our tables, with a role for the server", async ({ code }) => {
    const folder = await mkdtemp(join(tmpdir(), "solar-sites-sql-"))
    await copyEmptyDatabase(folder)
    const database = await PGlite.create({ dataDir: folder })
    await database.exec(`${migrationSql("solar")}; create role solar_server`)
    await expect(database.exec(code)).resolves.not.toHaveLength(0)
    await database.close()
    await rm(folder, { recursive: true })
  })
})
