/**
 * What more server processes bring: one, two and four behind HAProxy on one Postgres (with fsync) and
 * one Redis, in turns, and one without the proxy. Prints a table with medians of the rounds: responses
 * per second, latencies, and processor time per request of all parts. From the root:
 *
 *     npx -y pnpm@10 bench instances
 *
 * `PROCESSES` are the numbers of servers (`1,2,4`), `SECONDS` and `ROUNDS` duration and number of the
 * measurements (4 and 3), `CONNECTIONS` the number of concurrent requests (50), `ONLY` the workloads
 * (`list,create,create-apart`). It needs `haproxy` and `redis-server`.
 */
import { cpus } from "node:os"
import { startRedis } from "../../packages/adapter-redis/test/RedisServer.ts"
import { contestants } from "../src/contestants/contestants.ts"
import { openField, type Running } from "../src/contestants/processes.ts"
import { startLoad } from "../src/load/load.ts"
import { familyMicros } from "../src/load/processUse.ts"
import { startDatabase } from "../src/services/database/database.ts"
import { workloads } from "../src/workloads.ts"
import { startProxy } from "./Proxy.ts"

const { CONNECTIONS = "50", ONLY = "list,create,create-apart", PROCESSES = "1,2,4" } = process.env
const { ROUNDS = "3", SECONDS = "4" } = process.env
const seconds = Number(SECONDS)
const warmUpSeconds = 1
const counts = PROCESSES.split(",").map(Number)

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN

const stops: Array<() => unknown> = []
const started = async <A extends { readonly stop: () => unknown }>(start: Promise<A>): Promise<A> => {
  const service = await start
  stops.unshift(service.stop)
  return service
}

const parts = ["servers", "Postgres", "Redis", "proxy", "generator"] as const

const program = async (): Promise<void> => {
  const database = await started(startDatabase({ freshKeys: 0, documents: 0 }))
  const redis = await started(startRedis())
  const field = await started(openField(database, undefined, { REDIS_URL: redis.url }))
  const contestant = contestants.find(({ name }) => name === "solar-sites")
  if (contestant === undefined) throw new Error("there is no contestant solar-sites")
  const servers: Array<Running> = []
  for (let count = 0; count < Math.max(...counts); count++) servers.push(await field.start(contestant))
  const load = await started(startLoad(database.fixture))

  const proxied = async (count: number) => {
    const used = servers.slice(0, count)
    const proxy = await started(startProxy(used.map(({ origin }) => origin)))
    return { title: String(count), origin: proxy.origin, used, proxies: [proxy.pid] }
  }
  const [first] = servers
  if (first === undefined) throw new Error("PROCESSES names no server")
  const direct = { title: "1, no proxy", origin: first.origin, used: [first], proxies: [] }
  const all = [direct, ...(await Promise.all(counts.map(proxied)))]

  const sum = async (pids: ReadonlyArray<number>) =>
    (await Promise.all(pids.map(familyMicros))).reduce((total, micros) => total + micros, 0)

  const measure = async ({ origin, proxies, used }: (typeof all)[number], workload: string) => {
    const task = { workload, origin, pid: first.pid, connections: Number(CONNECTIONS), warmUpSeconds: 0 }
    await load.measure({ ...task, seconds: warmUpSeconds })
    const pids = [used.map(({ pid }) => pid), [database.serverPid], [redis.pid()], proxies, [load.pid]]
    const before = await Promise.all(pids.map(sum))
    const { p50Ms, p99Ms, perSecond, requests } = await load.measure({ ...task, seconds })
    const after = await Promise.all(pids.map(sum))
    await database.tidy()
    const micros = after.map((value, index) => (value - (before[index] ?? 0)) / requests)
    return [perSecond, p50Ms, p99Ms, ...micros]
  }

  const processors = cpus().length
  for (const { name, title } of workloads.filter((workload) => ONLY.split(",").includes(workload.name))) {
    const figures = new Map(all.map(({ title }): [string, Array<ReadonlyArray<number>>] => [title, []]))
    for (let round = 0; round <= Number(ROUNDS); round++) {
      for (const one of round % 2 === 0 ? all : all.toReversed()) {
        const figure = await measure(one, name)
        // The first round lets all servers compile.
        if (round > 0) figures.get(one.title)?.push(figure)
      }
    }
    console.log(`\n${title}, ${CONNECTIONS} at once\n`)
    console.log(`| Servers | req/s | × | p50, p99 ms | ${parts.join(" | ")} | cores of ${processors} |`)
    console.log("|---|---|---|---|---|---|---|---|---|---|")
    const rates = new Map([...figures].map(([title, rounds]) => [title, median(rounds.map(([rate = 0]) => rate))]))
    const base = rates.get("1") ?? rates.get(direct.title) ?? Number.NaN
    for (const [title, rounds] of figures) {
      const [rate = 0, p50 = 0, p99 = 0, ...micros] = Array.from({ length: 3 + parts.length }, (_, index) =>
        median(rounds.map((figure) => figure[index] ?? Number.NaN))
      )
      const cores = (micros.reduce((total, value) => total + value, 0) * rate) / 1e6
      const cells = [title, rate.toFixed(0), (rate / base).toFixed(2), `${p50.toFixed(1)}, ${p99.toFixed(1)}`]
      console.log(`| ${[...cells, ...micros.map((value) => value.toFixed(0)), cores.toFixed(2)].join(" | ")} |`)
    }
  }
  console.log("\nprocessor time in microseconds per request; × is the rate against one server behind the proxy")
}

try {
  await program()
} finally {
  for (const stop of stops) await stop()
}
// Explicit, because the library of Postgres exits with 0 otherwise.
process.exit(process.exitCode)
