/** An organisation that leaves a database and comes back. */
import { join } from "node:path"
import { exportOrganisation } from "../../src/archive/OrganisationExport.ts"
import { importOrganisation } from "../../src/archive/OrganisationImport.ts"
import { runJson } from "../CommandInProcess.ts"
import type { Variables } from "../SolarSitesProcess.ts"
import { contentsOf, fill, installation } from "./ArchiveSetup.ts"

/** Contents of the archive before the deletion, and of another one after the import; without the manifest. */
export const roundTrip = async (
  variables: Variables,
  folder: string
): Promise<readonly [before: Map<string, string>, after: Map<string, string>]> => {
  const read = async (path: string) => {
    const contents = await contentsOf(path)
    contents.delete("manifest.json")
    return contents
  }
  const path = join(folder, crypto.randomUUID())
  const [before, after] = [`${path}-before`, `${path}-after`]
  const source = await installation(variables)
  const id = await fill(source, "Sunfield")
  await source.run(exportOrganisation(id, before))
  await source.close()
  await runJson(["organisations", "delete", id, "--confirm", "Sunfield"], variables)
  const target = await installation(variables)
  // The files wait for their deletion until addresses of uploads have ended.
  await target.sql("delete from {schema}.deleted_file")
  await target.run(importOrganisation(before))
  await target.run(exportOrganisation(id, after))
  await target.close()
  return [await read(before), await read(after)]
}
