/**
 * Imports a CSV file twice and exports all sites as CSV, on Postgres. Prints times and memory; exits
 * with 1 when a limit is exceeded. From the root:
 *
 *     npx -y pnpm@10 bench csv
 *
 * `ROWS` is the number of rows (50,000); twice as many sites are exported. `DATABASE_URL` names a
 * server; without it one is started.
 */
import { randomBytes } from "node:crypto"
import { createWriteStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { operator } from "../../apps/reference-server/test/Operator.ts"
import { run, serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import type { Vitals } from "../soak/Vitals.ts"

const { ROWS = "50000" } = process.env
const rows = Number(ROWS)
const most = { importSeconds: 60, exportMegabytes: 100 }
const vitals = fileURLToPath(new URL("../soak/Vitals.ts", import.meta.url))

await using folder = await temporaryFolder()
const database = await findServer()
if (database === undefined) throw new Error("there is no Postgres")
const variables = {
  DATA_DIR: join(folder.path, "data"),
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: `csv_${randomBytes(4).toString("hex")}`
}
/** Settings of a process whose memory is written to a file. */
const watched = (name: string) => {
  const file = join(folder.path, name)
  const memory = async () =>
    (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line): number => (JSON.parse(line) as Vitals).memoryMegabytes)
  // The semi-space is that of `pnpm start`.
  const options = `--max-semi-space-size=16 --import=${vitals}`
  return { settings: { ...variables, NODE_OPTIONS: options, VITALS_FILE: file }, memory }
}

const fileOf = async (name: string): Promise<string> => {
  const path = join(folder.path, name)
  const lines = function* () {
    yield "externalId,siteName,capacity,unit,address,latitude,longitude,siteManager.name,tags,attributes.note\r\n"
    for (let row = 0; row < rows; row++) {
      yield `${name}-${row},Site ${row},${1 + row / 8},kWp,"${row} Long Meadow Lane, Somewhere",${row % 90},-1.5,Manager ${row % 7},roof;north,=note ${row}\r\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
  return path
}

const server = watched("server")
const serving = await serve(server.settings, ["--migrate"])
try {
  const by = operator(variables)
  const organisationId = await by.createOrganisation()
  const { key } = await by.createKey(organisationId)
  await by.close()

  const load = async (what: string, path: string) => {
    const importing = watched(what)
    const started = performance.now()
    const end = await run(
      ["import", "sites", path, "--organisation", organisationId, "--upsert", "--json"],
      importing.settings
    )
    const seconds = (performance.now() - started) / 1_000
    if (end.code !== 0) throw new Error(`${what}: ${JSON.stringify(end)}`)
    const peak = Math.max(...(await importing.memory()))
    console.log(`${what}: ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MB; ${end.stdout.trim()}`)
    if (seconds > most.importSeconds) process.exitCode = 1
  }
  const first = await fileOf("A")
  await load(`import of ${rows} rows`, first)
  await load("the same again", first)
  await load("as many more", await fileOf("B"))

  const ask = async () => {
    const response = await fetch(`${serving.address}/api/sites`, {
      headers: { "x-api-key": key, accept: "text/csv" }
    })
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength
    return bytes
  }
  await sleep(2_000)
  const before = (await server.memory()).at(-1) ?? Number.NaN
  const started = performance.now()
  const bytes = await ask()
  const seconds = (performance.now() - started) / 1_000
  await sleep(1_500)
  const growth = Math.max(...(await server.memory())) - before
  console.log(
    `export of ${2 * rows} sites: ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s; memory ${before.toFixed(0)} MB + ${growth.toFixed(0)} MB, at most + ${most.exportMegabytes} MB`
  )
  if (!(growth <= most.exportMegabytes)) process.exitCode = 1
} finally {
  await stop(serving)
  await database.stop()
}
