/**
 * Checks files of sites in the console of an organisation with many sites, and answers another
 * request meanwhile, on Postgres. Prints medians; exits with 1 when a check of seven rows exceeds the
 * limit. From the root:
 *
 *     npx -y pnpm@10 bench imports
 *
 * `SITES` is the number of sites (100,000). `DATABASE_URL` names a server; without it one is started.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { consoleInstance } from "../../apps/reference-server/test/console/ConsoleInstance.ts"
import { temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"

const sites = Number(process.env["SITES"] ?? "100000")
const rounds = 5
const mostMilliseconds = 1_000

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

await using folder = await temporaryFolder()
const database = await findServer()
if (database === undefined) throw new Error("there is no Postgres")
const instance = await consoleInstance({
  DATA_DIR: join(folder.path, "data"),
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: `imports_${randomBytes(4).toString("hex")}`
})
try {
  const owner = await instance.loggedIn(await instance.newUser(await instance.newOrganisation(), "owner"))
  const options = encodeURIComponent(JSON.stringify({ fileName: "Sites.csv", upsert: true, mappings: [] }))
  const headers = { "content-type": "text/csv" }
  const row = (index: number) => `E-${index},Site ${index},${1 + (index % 900)},kWp,${index} Long Meadow Lane`
  const fileOf = (from: number, count: number) =>
    ["externalId,siteName,capacity,unit,address", ...Array.from({ length: count }, (_, n) => row(from + n))].join("\n")

  for (let from = 0; from < sites; from += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, sites - from) }, (_, n) => {
      const index = from + n
      return {
        externalId: `E-${index}`,
        siteName: `Site ${index}`,
        capacity: 1 + (index % 900),
        unit: "kWp",
        address: `${index} Long Meadow Lane`
      }
    })
    const { outcome } = await owner.send("POST /console/api/sites/bulk", { body: { sites: batch } })
    if (outcome !== 200) throw new Error(`${outcome}`)
  }

  const check = async (body: string) => {
    const started = performance.now()
    const { json } = await owner.send(`POST /console/imports/check?options=${options}`, { body, headers })
    const { created, faultCount, unchanged } = json
    if (faultCount !== 0) throw new Error(JSON.stringify(json).slice(0, 300))
    return { milliseconds: performance.now() - started, counts: `${created} created, ${unchanged} unchanged` }
  }
  // Three of the rows are new.
  const few = fileOf(sites - 4, 7)
  await check(few)
  const checks = []
  for (let round = 0; round < rounds; round++) checks.push(await check(few))
  const milliseconds = median(checks.map((each) => each.milliseconds))
  console.log(`check of 7 rows at ${sites} sites: ${milliseconds.toFixed(0)} ms; ${checks[0]?.counts}`)
  if (milliseconds > mostMilliseconds) process.exitCode = 1

  const pings: Array<number> = []
  let isChecking = true
  const large = check(fileOf(0, 10_000)).finally(() => {
    isChecking = false
  })
  while (isChecking) {
    const started = performance.now()
    await owner.send("GET /console/session")
    pings.push(performance.now() - started)
  }
  const { counts, milliseconds: whole } = await large
  const worst = Math.max(...pings).toFixed(0)
  console.log(`check of 10000 rows: ${(whole / 1_000).toFixed(1)} s; ${counts}`)
  console.log(`another request meanwhile: median ${median(pings).toFixed(0)} ms, at most ${worst} ms`)
} finally {
  await instance.close()
  await database.stop()
}
