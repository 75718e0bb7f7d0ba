/**
 * Ten minutes of mixed load on the reference server on Postgres. Prints memory and event-loop delay
 * per minute; exits with 1 when memory grows or the delay is too long. From the root:
 *
 *     npx -y pnpm@10 bench soak
 *
 * `MINUTES` is the duration (10), `CLIENTS` the number of concurrent clients (10). `DATABASE_URL`
 * names a server with an empty database; without it one is started. `DATABASE=embedded` uses the
 * embedded Postgres; only the heap after a collection is judged then, because the database runs in
 * the same process.
 */
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { operator } from "../../apps/reference-server/test/Operator.ts"
import { serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import type { Vitals } from "./Vitals.ts"

const { CLIENTS = "10", DATABASE = "server", MINUTES = "10" } = process.env
const isEmbedded = DATABASE === "embedded"
const minutes = Number(MINUTES)
const mostGrowth = 1.1
const longestDelayMilliseconds = 20
const sites = 200
const vitals = fileURLToPath(new URL("./Vitals.ts", import.meta.url))

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

await using folder = await temporaryFolder()
const database = isEmbedded ? undefined : await findServer()
if (database === undefined && !isEmbedded) throw new Error("there is no Postgres")
const file = join(folder.path, "vitals")
const variables = {
  DATA_DIR: join(folder.path, "data"),
  ...(database === undefined
    ? {}
    : { DATABASE_URL: database.url, DATABASE_SCHEMA: `soak_${randomBytes(4).toString("hex")}` }),
  // Far above the load, so that every request is counted and none is refused.
  RATE_LIMIT_PER_MINUTE: "1000000"
}
// The process ends by itself, but only after its last measurement.
const longestLife = (minutes + 5) * 60_000
const settings = { ...variables, NODE_OPTIONS: `--import=${vitals}`, VITALS_FILE: file }
// One process holds an embedded database, so the operator's commands run before the server starts.
const keyFor = async () => {
  const by = operator(variables)
  const { key } = await by.createKey(await by.createOrganisation())
  await by.close()
  return key
}
const embeddedKey = isEmbedded ? await keyFor() : undefined
const server = await serve(settings, ["--migrate"], longestLife)

try {
  const key = embeddedKey ?? (await keyFor())
  let asked = 0
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.address}/api${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    asked += 1
    return text === "" ? null : JSON.parse(text)
  }
  const newSite = () => ask("POST", "/sites", { siteName: "Long Meadow", capacity: 48.6, unit: "kWp" })

  const { data: portfolios } = await ask("POST", "/portfolios", { portfolios: [{ name: "North" }, { name: "South" }] })
  const all: Array<string> = []
  for (let count = 0; count < sites; count++) all.push((await newSite()).id)
  await ask("POST", `/portfolios/${portfolios[0].id}/sites`, { siteIds: all.slice(0, 50) })

  const files = Array.from({ length: 5 }, (_, index) => ({ filename: `${index}.pdf`, mimeType: "application/pdf" }))
  /** Requests that leave the database unchanged, except for documents. */
  const works = [
    () => ask("GET", "/sites?limit=50"),
    (site: string) => ask("GET", `/sites/${site}`),
    () => ask("GET", "/portfolios/with-sites"),
    (site: string, turn: number) => ask("PUT", `/sites/${site}`, { portfolioId: portfolios[turn % 2].id }),
    async () => ask("DELETE", `/sites/${(await newSite()).id}`),
    async () => {
      const { id: siteId } = await newSite()
      await ask("POST", "/docs/bulk-upload-url", { siteId, fileType: "documents", files })
      await ask("DELETE", `/sites/${siteId}`)
    },
    () => ask("GET", "/me"),
    // A refusal that names faults.
    () =>
      fetch(`${server.address}/api/sites?limit=0`, { headers: { "x-api-key": key } }).then((answer) => answer.text())
  ]

  const end = performance.now() + minutes * 60_000
  const client = async (number: number) => {
    for (let turn = number; performance.now() < end; turn++) {
      await works[turn % works.length]?.(all[(turn * 7) % sites] ?? "", turn)
    }
  }
  const progress = setInterval(() => {
    const left = Math.ceil((end - performance.now()) / 1_000)
    if (process.stderr.isTTY) process.stderr.write(`\r${asked} requests, ${left} s left `)
  }, 1_000)
  await Promise.all(Array.from({ length: Number(CLIENTS) }, (_, number) => client(number)))
  clearInterval(progress)

  const seconds: ReadonlyArray<Vitals> = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  console.log(`${asked} requests in ${minutes} minutes, ${CLIENTS} at once`)
  console.log("minute   memory   kept heap    delay of the event loop: median, p99 of its seconds")
  for (let minute = 0; minute < minutes; minute++) {
    const these = seconds.slice(minute * 60, (minute + 1) * 60)
    const heap = Math.min(...these.map(({ heapMegabytes }) => heapMegabytes))
    const figures = [
      `${median(these.map(({ memoryMegabytes }) => memoryMegabytes)).toFixed(0)} MB`.padStart(9),
      `${heap.toFixed(0)} MB`.padStart(13),
      `${median(these.map(({ delayMedian }) => delayMedian)).toFixed(1)} ms, ${median(these.map(({ delayP99 }) => delayP99)).toFixed(1)} ms`.padStart(
        20
      )
    ]
    console.log(`${String(minute + 1).padStart(6)}${figures.join("")}`)
  }
  // The first quarter lets compilers and caches settle.
  const quarter = Math.floor(seconds.length / 4)
  const growthOf = (figure: (vitals: Vitals) => number, of = median) =>
    of(seconds.slice(-quarter).map(figure)) / of(seconds.slice(quarter, 2 * quarter).map(figure))
  const growth = growthOf(({ memoryMegabytes }) => memoryMegabytes)
  const heapGrowth = growthOf(
    ({ heapMegabytes }) => heapMegabytes,
    (all) => Math.min(...all)
  )
  const delay = seconds.slice(quarter).at(-1)?.delayP99Overall ?? Number.NaN
  console.log(
    `memory of the last quarter against the second: ${growth.toFixed(2)} times, kept heap ${heapGrowth.toFixed(2)} times; at most ${mostGrowth}`
  )
  console.log(`delay of the event loop, p99 of all: ${delay.toFixed(1)} ms; at most ${longestDelayMilliseconds} ms`)
  // An embedded database touches its memory bit by bit, so only the heap is judged.
  const isSteady = isEmbedded || (growth <= mostGrowth && delay <= longestDelayMilliseconds)
  if (!(heapGrowth <= mostGrowth) || !isSteady) process.exitCode = 1
} finally {
  await stop(server)
  await database?.stop()
}
