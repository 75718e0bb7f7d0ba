/**
 * Peak memory of a reference server during single requests about the largest sites: 1,000 with 220 kB
 * of attributes each, on Postgres. Prints the growth above the memory before each request; exits
 * with 1 when a limit is exceeded. Reads `/proc`, so it runs on Linux alone. From the root:
 *
 *     npx -y pnpm@10 bench large
 *
 * `DATABASE_URL` names a server; without it one is started.
 */
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { operator } from "../../apps/reference-server/test/Operator.ts"
import { serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"

const count = 1_000
// A body has at most 8 MiB.
const perRequest = 35
const mostMegabytes = 150

const attributes = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`${index}${"𝔖".repeat(97)}`, "𝔖".repeat(1_000)])
)

await using folder = await temporaryFolder()
const database = await findServer()
if (database === undefined) throw new Error("there is no Postgres")
const variables = {
  DATA_DIR: join(folder.path, "data"),
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: `large_${randomBytes(4).toString("hex")}`,
  RATE_LIMIT_PER_MINUTE: "0",
  // As of `pnpm start`.
  NODE_OPTIONS: "--max-semi-space-size=16"
}
const serving = await serve(variables, ["--migrate"])
const folderOfProcess = `/proc/${serving.pid}`
const megabytes = async (name: "VmRSS" | "VmHWM"): Promise<number> => {
  const [, kilobytes = "NaN"] =
    new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`${folderOfProcess}/status`, "utf8")) ?? []
  return (Number(kilobytes) * 1_024) / 1e6
}
try {
  const by = operator(variables)
  const { key } = await by.createKey(await by.createOrganisation())
  await by.close()
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    fetch(`${serving.address}${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const externalIds = Array.from({ length: count }, (_, index) => `L-${index}`)
  const ids: Array<string> = []
  const site = { siteName: "Long Meadow", capacity: 48.6, unit: "kWp", attributes }
  for (let start = 0; start < count; start += perRequest) {
    const sites = externalIds.slice(start, start + perRequest).map((externalId) => ({ externalId, ...site }))
    const response = await send("POST", "/api/sites/bulk", { sites })
    const { data } = (await response.json()) as { data: ReadonlyArray<{ site: { id: string } }> }
    ids.push(...data.map((one) => one.site.id))
  }
  const created = await send("POST", "/api/portfolios", [{ name: "South" }])
  const { data } = (await created.json()) as { data: ReadonlyArray<{ id: string }> }

  const measure = async (what: string, request: () => Promise<Response>) => {
    // Resets the peak.
    await writeFile(`${folderOfProcess}/clear_refs`, "5")
    const before = await megabytes("VmRSS")
    const started = performance.now()
    const response = await request()
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength
    const seconds = (performance.now() - started) / 1_000
    const growth = (await megabytes("VmHWM")) - before
    console.log(
      `${what.padEnd(36)}${response.status}, ${(bytes / 1e6).toFixed(1).padStart(5)} MB in ${seconds.toFixed(1)} s; ${before.toFixed(0)} MB + ${growth.toFixed(0)} MB`
    )
    if (!(growth <= mostMegabytes)) process.exitCode = 1
  }
  const csv = { accept: "text/csv" }
  await measure("a page of 1,000 sites", () => send("GET", "/api/sites?limit=1000"))
  await measure("the same by name", () => send("GET", "/api/sites?limit=1000&sort=siteName"))
  await measure("a page of 1,000 events", () => send("GET", "/api/events?limit=1000"))
  await measure("1,000 sites into a portfolio", () =>
    send("POST", `/api/portfolios/${data[0]?.id}/sites`, { siteIds: ids })
  )
  const changes = externalIds.map((externalId) => ({ externalId, address: "1 Sun Lane" }))
  await measure("upsert of 1,000 sites", () => send("POST", "/api/sites/bulk", { mode: "upsert", sites: changes }))
  await measure("all sites", () => send("GET", "/api/sites"))
  await measure("all sites as CSV", () => send("GET", "/api/sites", undefined, csv))
} finally {
  await stop(serving)
  await database.stop()
}
