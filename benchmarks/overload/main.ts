/**
 * Sends three times the peak rate of pages to the reference server on Postgres. Prints the useful
 * responses that remain, latencies of these and of refusals, and whether readiness stays green.
 * Exits with 1 when fewer than 80 % of the peak arrive within a second. From the root:
 *
 *     npx -y pnpm@10 bench:overload
 *
 * `SECONDS` is the duration of each part (10), `LIMIT` the number of sites of a page (1,000). Small
 * pages cost the load generator as much as the server, on the same machine. `DATABASE_URL` names a
 * server with an empty database; without it one is started.
 */
import { fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import { operator } from "../../apps/reference-server/test/Operator.ts"
import { serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import type { Outcome, Shot } from "./Requests.ts"

const { LIMIT = "1000", SECONDS = "10" } = process.env
const seconds = Number(SECONDS)
const times = 3
const leastUseful = 0.8
const program = fileURLToPath(new URL("./Requests.ts", import.meta.url))

const shoot = (shot: Shot): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: [] }).once("message", (outcome) => resolve(outcome as Outcome))
    child.once("exit", (code) => reject(new Error(`the process that asks ended with ${code}`)))
    child.send(shot)
  })

const quantile = (values: ReadonlyArray<number>, share: number): string =>
  `${(values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(0)} ms`

await using folder = await temporaryFolder()
const database = await findServer()
if (database === undefined) throw new Error("there is no Postgres")
const variables = {
  DATA_DIR: folder.path,
  DATABASE_URL: database.url,
  DATABASE_SCHEMA: `overload_${randomBytes(4).toString("hex")}`,
  RATE_LIMIT_PER_MINUTE: "0"
}
const server = await serve(variables, ["--migrate"])

try {
  const by = operator(variables)
  const { key } = await by.createKey(await by.createOrganisation())
  await by.close()
  const headers = { "x-api-key": key, "content-type": "application/json" }
  const body = JSON.stringify({ siteName: "Long Meadow", capacity: 48.6, unit: "kWp" })
  for (let count = 0; count < Number(LIMIT); count += 1) {
    await fetch(`${server.address}/api/sites`, { method: "POST", headers, body })
  }
  const port = Number(new URL(server.address).port)
  const shot = { port, key, path: `/api/sites?limit=${LIMIT}`, seconds }
  await shoot({ ...shot, connections: 50, seconds: 3 })
  const peak = (await shoot({ ...shot, connections: 50 })).good.length / seconds

  const probes: Array<number> = []
  let red = 0
  const probing = setInterval(async () => {
    const since = performance.now()
    const { status } = await fetch(`${server.address}/health/ready`)
    probes.push(performance.now() - since)
    if (status !== 200) red += 1
  }, 500)
  const { good, other, refused } = await shoot({ ...shot, connections: 3_000, perSecond: peak * times })
  clearInterval(probing)

  const useful = good.filter((milliseconds) => milliseconds <= 1_000).length / seconds
  const share = useful / peak
  console.log(`peak: ${peak.toFixed(0)} pages a second; asked for ${(peak * times).toFixed(0)}`)
  console.log(
    `useful, within a second: ${useful.toFixed(0)}, ${(share * 100).toFixed(0)} % of the peak; at least ${leastUseful * 100} %`
  )
  console.log(`good answers: ${good.length}, p50 ${quantile(good, 0.5)}, p99 ${quantile(good, 0.99)}`)
  console.log(
    `refused: ${refused.length}, p50 ${quantile(refused, 0.5)}, p99 ${quantile(refused, 0.99)}; others: ${other}`
  )
  console.log(`readiness: ${probes.length} probes, ${red} red, p99 ${quantile(probes, 0.99)}`)
  if (!(share >= leastUseful) || red > 0) process.exitCode = 1
} finally {
  await stop(server)
  await database.stop()
}
