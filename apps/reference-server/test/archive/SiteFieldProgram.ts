/**
 * Exports sites with one text member and without from an embedded database, and imports them again once
 * they are deleted; then the same archive as a version without the member has written it.
 * `scripts/siteField.test.ts` runs it after it has added the member. The arguments are its name and an
 * empty folder. Exits with 1 and the reason when something fails.
 */
import { deepStrictEqual } from "node:assert/strict"
import { join } from "node:path"
import { OrganisationId } from "@solar-sites/core"
import { copyEmptyDatabase } from "../../../../packages/adapter-postgres/test/EmptyDatabase.ts"
import { exportOrganisation } from "../../src/archive/OrganisationExport.ts"
import { importOrganisation } from "../../src/archive/OrganisationImport.ts"
import { contentsOf, installation, withoutMembers, writeArchive } from "./ArchiveSetup.ts"

const [member = "", folder = ""] = process.argv.slice(2)

await copyEmptyDatabase(join(folder, "database"))
const { close, run, solar } = await installation({ DATA_DIR: folder })
const id = OrganisationId.make((await solar.organisations.create({ name: "Sunfield" })).id)
const { sites } = solar.as({ organisationId: id })
const required = { siteName: "Long Meadow", capacity: 1, unit: "MW" } as const
const given = { ...required, [member]: 'First line\n"second" line' }
await sites.create(given)
await sites.create(required)
const { data: before } = await sites.list()
deepStrictEqual(
  before.map((site) => Reflect.get(site, member)),
  [Reflect.get(given, member), null]
)
const archive = join(folder, "archive.tar.gz")
await run(exportOrganisation(id, archive))

const earlier = join(folder, "earlier.tar.gz")
await writeArchive(earlier, withoutMembers(await contentsOf(archive), { "sites.ndjson": [member] }))

const imported = async (path: string) => {
  await solar.organisations.delete(id)
  await run(importOrganisation(path))
  return (await sites.list()).data
}
deepStrictEqual(await imported(archive), before)
deepStrictEqual(
  await imported(earlier),
  before.map((site) => Object.assign(Object.create(Object.getPrototypeOf(site)), site, { [member]: null }))
)
await close()
