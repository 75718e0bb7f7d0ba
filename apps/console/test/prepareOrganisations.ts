/**
 * Makes the data that the servers of a run copy: an organisation for each file, with its users.
 * Usage: `node prepareOrganisations.ts FOLDER`. A process of its own, beside the start of the workers.
 */
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyEmptyDatabase } from "../../../packages/adapter-postgres/test/EmptyDatabase.ts"
import { operator } from "../../reference-server/test/Operator.ts"
import { dataName, providerDomain, reportName } from "./PreparedData.ts"
import type { Organisation } from "./Server.ts"

// Enough for all files in one worker, and for tests with an organisation of their own.
const names = [...Array.from({ length: 44 }, () => "Demo organisation"), ...Array.from({ length: 8 }, () => "Others")]

const [folder = ""] = process.argv.slice(2)
const dataDirectory = join(folder, dataName)
await copyEmptyDatabase(join(dataDirectory, "database"))
const people = operator({ DATA_DIR: dataDirectory }, "apply")
const firstId = await people.createOrganisation("First")
const first = await people.createUser(firstId)
await people.setLoginDomains(firstId, providerDomain)

const organisations: Array<Organisation> = []
for (const [index, name] of names.entries()) {
  const id = await people.createOrganisation(name)
  const user = (name: string, as: string, role: "owner" | "admin" | "member" | "viewer") =>
    people.createUserLike(first, { organisationId: id, name, email: `${as}@${index}.example.com`, role })
  const owner = await user("Demo user", "demo", "owner")
  const admin = await user("Katherine Johnson", "admin", "admin")
  const member = await user("Mary Jackson", "member", "member")
  const viewer = await user("Vera Rubin", "viewer", "viewer")
  const resetPath = await people.resetPath(viewer.email)
  const { key: apiKey } = await people.createKey(id)
  organisations.push({ id, name, owner, admin, member, viewer, resetPath, apiKey })
}
await people.close()

const report = join(folder, reportName)
await writeFile(`${report}.part`, JSON.stringify(organisations))
await rename(`${report}.part`, report)
