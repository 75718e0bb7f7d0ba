/**
 * Creates 1,000 sites over HTTP: one after the other, and in one bulk request, on a Postgres with
 * fsync as in production. Prints the medians of five rounds and their ratio; exits with 1 below the
 * limit. From the root:
 *
 *     npx -y pnpm@10 bench bulk
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { operator } from "../../apps/reference-server/test/Operator.ts"
import { serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { startEmbedded } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"

const count = 1_000
const rounds = 5
const least = 20

await using folder = await temporaryFolder()
const database = await startEmbedded(["fsync=on"])
const variables = {
  DATA_DIR: join(folder.path, "data"),
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: `bulk_${randomBytes(4).toString("hex")}`,
  RATE_LIMIT_PER_MINUTE: "0"
}
const serving = await serve(variables, ["--migrate"])
try {
  const by = operator(variables)
  const { key } = await by.createKey(await by.createOrganisation())
  await by.close()

  const post = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${serving.address}/api/sites${path}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`)
  }
  const sitesOf = (prefix: string) =>
    Array.from({ length: count }, (_, index) => ({
      externalId: `${prefix}-${index}`,
      siteName: `Long Meadow ${index}`,
      capacity: 48.6,
      unit: "kWp"
    }))
  const timed = async (work: () => Promise<void>): Promise<number> => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const median = (times: ReadonlyArray<number>): number =>
    times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

  const single: Array<number> = []
  const bulk: Array<number> = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const one = await timed(async () => {
      for (const site of sitesOf(`single-${round}`)) await post("", site)
    })
    const many = await timed(() => post("/bulk", { sites: sitesOf(`bulk-${round}`) }))
    if (round === 0) continue
    single.push(one)
    bulk.push(many)
  }
  const ratio = median(single) / median(bulk)
  console.log(
    `${count} sites: ${median(single).toFixed(0)} ms one after the other, ${median(bulk).toFixed(0)} ms in one request: ${ratio.toFixed(1)} times, at least ${least}`
  )
  if (!(ratio >= least)) process.exitCode = 1
} finally {
  await stop(serving)
  await database.stop()
}
