/** Statements of exports and imports among records of another organisation. */
import { OrganisationId } from "@solar-sites/core"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ArchiveRows, archiveRows } from "../../src/archive/ArchiveRows.ts"
import { archiveTables } from "../../src/archive/ArchiveTables.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"
import { fill, type Installation, installation } from "./ArchiveSetup.ts"

describe.skipIf(withoutPostgres)("rows of two organisations", () => {
  const schemas = ownSchemas()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let source: Installation
  let rows: ArchiveRows
  let [one, other] = [OrganisationId.make(crypto.randomUUID()), OrganisationId.make(crypto.randomUUID())]
  const unknown = OrganisationId.make(crypto.randomUUID())

  const run = <A, E>(use: (rows: ArchiveRows) => Effect.Effect<A, E>) => source.run(use(rows))
  const usersOf = async (id: OrganisationId) => {
    const found = await source.sql(`select id::text from {schema}.console_user where organisation_id = '${id}'`)
    return found.map(([userId]) => String(userId))
  }

  beforeAll(async () => {
    folder = await temporaryFolder()
    source = await installation({ ...schemas.next(), DATA_DIR: folder.path })
    rows = await source.run(archiveRows)
    one = await fill(source, "One")
    other = await fill(source, "Other")
    await source.solar.as({ organisationId: other }).requirements.replace({ requirements: [] })
    for (const id of [one, other]) {
      await source.sql(`insert into {schema}.console_import values ('${id}', 'of ${id}', now())`)
      await source.sql(`insert into {schema}.deleted_file (organisation_id, site_id, document_id, address_expires_at, due_at)
        values ('${id}', gen_random_uuid(), gen_random_uuid(), now() + interval '1 day', now() + interval '1 day')`)
    }
    await source.sql(`update {schema}.console_organisation set require_second_factor = organisation_id = '${one}'`)
  })

  afterAll(async () => {
    await source.close()
    await schemas.drop()
    await folder[Symbol.asyncDispose]()
  })

  it("are none of an unknown organisation", async () => {
    expect(await run((all) => all.find(unknown, [], []))).toEqual({
      ...{ organisation: false, interrupted: null, records: false, deletedFiles: false },
      ...{ takenLogins: [], takenUsers: [] }
    })
    expect(await run((all) => all.state(unknown))).toBeNull()
    for (const table of archiveTables) expect(await run((all) => all.read(unknown, table, null))).toEqual([])
  })

  it("are found, with their state, by the organisation", async () => {
    for (const [id, name, requirementsVersion] of [
      [one, "One", 1],
      [other, "Other", 2]
    ] as const) {
      const [user = ""] = await usersOf(id)
      const found = await run((all) => all.find(id, [`owner.${id}@example.com`], [user]))
      const interrupted = `of ${id}`
      expect(found).toMatchObject({ interrupted, records: true, takenLogins: [], takenUsers: [] })
      const { data } = await source.solar.as({ organisationId: id }).events.list({ order: "desc", limit: 1 })
      const requireSecondFactor = id === one
      const sharedViews = [{ name: "Roofs", query: "tag=roof" }]
      const state = { id, name, requirementsVersion, requireSecondFactor, sharedViews, lastSequence: data[0]?.sequence }
      expect(await run((all) => all.state(id))).toMatchObject(state)
      expect(await run((all) => all.deletedFiles(id, null))).toHaveLength(1)
    }
    const [user = ""] = await usersOf(other)
    const taken = { takenLogins: [`Owner.${other}@example.com`], takenUsers: [user] }
    expect(await run((all) => all.find(one, [`owner.${other}@example.com`], [user]))).toMatchObject(taken)
  })

  it("are left as they are when the import of another organisation ends", async () => {
    const interrupted = async () => {
      const { id } = await source.solar.organisations.create({ name: "Interrupted" })
      await source.sql(`insert into {schema}.console_import values ('${id}', 'of ${id}', now())`)
      return OrganisationId.make(id)
    }
    const [ended, left] = [await interrupted(), await interrupted()]
    await run((all) => all.finish(ended, "inactive"))
    expect(await run((all) => all.state(ended))).toMatchObject({ status: "inactive" })
    expect(await run((all) => all.state(left))).toMatchObject({ status: "active" })
    expect(await run((all) => all.find(ended, [], []))).toMatchObject({ interrupted: null })
    expect(await run((all) => all.find(left, [], []))).toMatchObject({ interrupted: `of ${left}` })
  })
})
