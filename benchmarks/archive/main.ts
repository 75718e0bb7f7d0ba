/**
 * Exports an organisation with large files to an archive, and imports it into another installation,
 * on Postgres and folders. Prints times and memory; exits with 1 when a limit is exceeded. From the
 * root:
 *
 *     npx -y pnpm@10 bench archive
 *
 * `FILES` is the number of files (20) of 100 MiB. Needs three times as much room in the temporary
 * folder. `DATABASE_URL` names a server; without it one is started.
 */
import { randomBytes } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { OrganisationId } from "@solar-sites/core"
import { installation } from "../../apps/reference-server/test/archive/ArchiveSetup.ts"
import { run, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import type { Vitals } from "../soak/Vitals.ts"

const { FILES = "20" } = process.env
const files = Number(FILES)
const fileBytes = 100 * 1_024 * 1_024
const mostMegabytes = 350
const vitals = fileURLToPath(new URL("../soak/Vitals.ts", import.meta.url))

await using folder = await temporaryFolder()
const database = await findServer()
if (database === undefined) throw new Error("there is no Postgres")

const settingsOf = (name: string) => ({
  DATA_DIR: join(folder.path, name),
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: `archive_${name}_${randomBytes(4).toString("hex")}`
})
const [source, target] = [settingsOf("source"), settingsOf("target")]

const from = await installation(source)
const into = await installation(target)
const id = OrganisationId.make((await from.solar.organisations.create({ name: "Large" })).id)
const site = await from.solar.as({ organisationId: id }).sites.create({ siteName: "A", capacity: 1, unit: "MW" })
// Random bytes do not compress, as those of most documents.
const bytes = randomBytes(fileBytes)
for (let file = 0; file < files; file++) await from.upload(id, site.id, `${file}.pdf`, bytes)
await from.close()
await into.close()

let failed = false

const measure = async (name: string, variables: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) => {
  const file = join(folder.path, `${name}.vitals`)
  const begun = performance.now()
  const end = await run(["organisations", name, ...args, "--json"], {
    ...variables,
    NODE_OPTIONS: `--max-semi-space-size=16 --import=${vitals}`,
    VITALS_FILE: file
  })
  if (end.code !== 0) throw new Error(`${name} failed: ${JSON.stringify(end)}`)
  const seconds = (performance.now() - begun) / 1_000
  const megabytes = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line): number => (JSON.parse(line) as Vitals).memoryMegabytes)
  const most = Math.max(...megabytes)
  const rate = (files * fileBytes) / 1_048_576 / seconds
  console.log(`${name}: ${seconds.toFixed(1)} s, ${rate.toFixed(0)} MiB/s, at most ${most.toFixed(0)} MB of memory`)
  failed ||= most > mostMegabytes
}

const archive = join(folder.path, "archive.tar.gz")
await measure("export", source, id, "--to", archive)
console.log(`archive: ${((await stat(archive)).size / 1_048_576).toFixed(0)} MiB`)
await measure("import", target, archive)
await database.stop()
if (failed) console.error(`more than ${mostMegabytes} MB of memory`)
process.exitCode = failed ? 1 : 0
