/**
 * Costs of single operations on Postgres (with fsync) and Redis: processor time, WAL and stored bytes.
 * Prints them as a table, then what 1, 10, 100 and 1,000 times a load needs by them. Checks the sum of
 * the costs against mixed loads: one server, two servers with twice the clients, and the same beside
 * more data of other organisations. From the root:
 *
 *     npx -y pnpm@10 bench costs
 *
 * `SECONDS` is the duration of each measurement (4), `CLIENTS` the number of concurrent operations per
 * server (8), `BESIDE` the sites of other organisations in the last check (100000).
 */
import { cpus } from "node:os"
import { setTimeout as pause } from "node:timers/promises"
import { type Installation, install, own } from "./Installation.ts"
import { type Cost, combine, needs, needsHead, zero } from "./Needs.ts"
import { mixed, type Organisation, operations, sender } from "./Operations.ts"

const { BESIDE = "100000", CLIENTS = "8", SECONDS = "4" } = process.env
const seconds = Number(SECONDS)
const rounds = 3
const warmUpSeconds = 1

type Operation = typeof mixed

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN

const row = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  console.log([`\n${row(head)}`, `|${head.map(() => "---|").join("")}`, ...rows.map(row)].join("\n"))

let count = 0
/** Each client runs the operation in one organisation after the other. */
const work = async (
  { run }: Operation,
  {
    clients,
    origins,
    time
  }: { readonly origins: ReadonlyArray<string>; readonly clients: number; readonly time: number },
  organisations: ReadonlyArray<Organisation>
) => {
  const { close, send } = sender(origins)
  const started = performance.now()
  const before = count
  const client = async () => {
    while (performance.now() - started < time * 1_000) {
      const n = count++
      const organisation = organisations[n % organisations.length]
      if (organisation !== undefined) await run(send, organisation, n)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  close()
  return { done: count - before, took: (performance.now() - started) / 1_000 }
}

const main = async (installation: Installation) => {
  const { origins, totals } = installation
  const organisations = await installation.organisations()

  await pause(2_000)
  const [before, began] = [await totals(), performance.now()]
  await pause(10_000)
  const idleSeconds = (performance.now() - began) / 1_000
  /** Per second, of all servers. */
  const rest = combine(await totals(), before, (after, start) => (after - start) / idleSeconds)

  const measured = async (operation: Operation, servers: number) => {
    const load = { origins: origins().slice(0, servers), clients: Number(CLIENTS) * servers }
    await work(operation, { ...load, time: warmUpSeconds }, organisations)
    const start = await totals()
    const { done, took } = await work(operation, { ...load, time: seconds }, organisations)
    const used = combine(await totals(), start, (after, initial) => after - initial)
    const cost = combine(used, rest, (total, perSecond) => Math.max(0, total - perSecond * took) / done)
    return { cost, perSecond: done / took }
  }
  const medians = (all: ReadonlyArray<Awaited<ReturnType<typeof measured>>>) => {
    const of = (figure: (cost: Cost) => number) => median(all.map(({ cost }) => figure(cost)))
    const cost: Cost = {
      servers: of(({ servers }) => servers),
      postgres: of(({ postgres }) => postgres),
      redis: of(({ redis }) => redis),
      wal: of(({ wal }) => wal),
      stored: of(({ stored }) => stored)
    }
    return { cost, perSecond: median(all.map(({ perSecond }) => perSecond)) }
  }
  const repeated = async (operation: Operation, servers: number) => {
    const all = []
    for (let round = 0; round < rounds; round++) all.push(await measured(operation, servers))
    return medians(all)
  }
  // In turns, so that other load of the machine meets all alike.
  const turns = operations.map((operation): [Operation, Array<Awaited<ReturnType<typeof measured>>>] => [operation, []])
  for (const operation of operations) await work(operation, { origins: origins(), clients: 8, time: 2 }, organisations)
  for (let round = 0; round < rounds; round++)
    for (const [operation, all] of turns) all.push(await measured(operation, 1))
  const single = turns.map(([{ share, title }, all]) => ({ title, share, cost: medians(all).cost }))

  const cells = ({ postgres, redis, servers, stored, wal }: Cost) =>
    [servers, postgres, redis, wal, stored].map((figure) => figure.toFixed(0))
  const units = ["server µs", "Postgres µs", "Redis µs", "WAL bytes", "stored bytes"]
  const predicted = single.reduce(
    (sum, { cost, share }) => combine(sum, cost, (total, one) => total + (one * share) / 100),
    zero
  )
  const version = await installation.version()
  console.log(`${cpus().length} cores, Node ${process.version}, Postgres ${version}; ${CLIENTS} clients per server`)
  table(
    ["operation", "% of the load", ...units],
    [
      ...single.map(({ cost, share, title }) => [title, `${share}`, ...cells(cost)]),
      ["mixed load, computed", "100", ...cells(predicted)],
      ["at rest, a second", "", ...cells(rest)]
    ]
  )
  const storedBy = (title: string) => single.find((one) => one.title === title)?.cost.stored ?? Number.NaN
  const stored = {
    site: storedBy("create a site"),
    upload: storedBy("upload: issue, confirm"),
    update: storedBy("update a site")
  }
  table(needsHead, needs(predicted, stored))

  const checks: Array<ReadonlyArray<string>> = []
  const check = async (title: string, servers: number) => {
    const { cost, perSecond } = await repeated(mixed, servers)
    const off = combine(cost, predicted, (one, other) => one / other - 1)
    const percent = (figure: number) => `${figure > 0 ? "+" : ""}${(figure * 100).toFixed(0)} %`
    checks.push([title, perSecond.toFixed(0), ...[off.servers, off.postgres, off.redis, off.wal].map(percent)])
  }
  const sites = own.organisations * own.sites
  await check(`1 server, ${CLIENTS} clients, ${sites} sites`, 1)
  await check(`2 servers, ${2 * Number(CLIENTS)} clients, ${sites} sites`, 2)
  await installation.beside(Number(BESIDE))
  await work(mixed, { origins: origins(), clients: 8, time: 5 }, organisations)
  await check(`2 servers, ${2 * Number(CLIENTS)} clients, ${sites + Number(BESIDE)} sites`, 2)
  table(["mixed load, measured against computed", "operations/s", ...units.slice(0, 4)], checks)
}

const installation = await install(2)
try {
  await main(installation)
} finally {
  await installation.stop()
}
// Explicit, because the library of Postgres exits with 0 otherwise.
process.exit(process.exitCode)
