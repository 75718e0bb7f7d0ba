/**
 * More load than a server has capacity for, and clients that take without giving.
 */
import { execFileSync, fork } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Proof } from "../check.ts"
import { asking, serverTarget } from "../fuzz/Target.ts"
import { disturb, disturbers } from "./Disturbers.ts"
import { judgeNeighbour, judgeOverload, quantile, usefulShare } from "./judge.ts"
import type { Outcome, Shot } from "./sender.ts"

const program = fileURLToPath(new URL("./sender.ts", import.meta.url))
const times = 3
const [longSeconds, shortSeconds, mostPeakSeconds, mostNeighbourSeconds] = [600, 10, 20, 30]
// Pages that cost the server more than the sender, which shares its machine.
const sites = 1_000
const settleMillis = 3_000
// Limit of a key, six times the default: the neighbour sends 3,000 a minute.
const limitPerMinute = 3_600
// The requests that the limit allows at once are then answered: these may use the whole server.
const usualBurstMillis = 6_000
const pageOf = (limit: number) => `/api/sites?limit=${limit}`

const shoot = (shot: Shot): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    // `as`: the program sends nothing else.
    const child = fork(program, { execArgv: [] }).once("message", (outcome) => resolve(outcome as Outcome))
    child.once("exit", (code) => reject(new Error(`the sender ended with ${code}`)))
    child.send(shot)
  })

const figures = (values: ReadonlyArray<number>): string =>
  `${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`

/** Open files of a process here; `Infinity` where it cannot be read. */
const fileLimit = (): number => {
  const text = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim()
  return text === "unlimited" ? Number.POSITIVE_INFINITY : Number(text)
}

const startServer = async (limitPerMinute: number) => {
  const target = await serverTarget({
    RATE_LIMIT_PER_MINUTE: String(limitPerMinute),
    QUERY_TIMEOUT: "5s",
    LOG_LEVEL: "warn"
  })
  /** An organisation with sites. */
  const newTenant = async () => {
    const key = await target.join()
    const site = { siteName: "Long Meadow", capacity: 48.6, unit: "kWp" }
    await asking(target, key)("POST /api/sites/bulk", { sites: Array.from({ length: sites }, () => site) })
    return { key }
  }
  return { ...target, port: Number(new URL(target.address).port), newTenant }
}

type Started = Awaited<ReturnType<typeof startServer>>

/** Milliseconds until ten requests in a row are answered within 100 ms each. */
const recovery = async ({ address }: Started, key: string): Promise<number> => {
  const start = performance.now()
  let inRow = 0
  while (inRow < 10 && performance.now() - start < 60_000) {
    const sentAt = performance.now()
    const response = await fetch(`${address}${pageOf(1)}`, { headers: { "x-api-key": key } })
    await response.arrayBuffer()
    inRow = response.status === 200 && performance.now() - sentAt < 100 ? inRow + 1 : 0
  }
  return performance.now() - start
}

// Refusals of small pages take a larger part of the capacity.
const leastUseful = (limit: number): number => (limit === sites ? 0.8 : 0.6)

const overload = async (
  limit: number,
  seconds: number,
  log: (line: string) => void
): Promise<ReadonlyArray<string>> => {
  const started = await startServer(0)
  const { address, newTenant, port } = started
  try {
    const tenant = await newTenant()
    const shot = { ...tenant, port, path: pageOf(limit) }
    await shoot({ ...shot, connections: 50, seconds: 3 })
    const peakSeconds = Math.min(seconds, mostPeakSeconds)
    const peak = (await shoot({ ...shot, connections: 50, seconds: peakSeconds })).good.length / peakSeconds

    const probes: Array<number> = []
    let red = 0
    const probing = setInterval(async () => {
      const since = performance.now()
      const status = await fetch(`${address}/health/ready`).then(
        (response) => response.status,
        () => 0
      )
      probes.push(performance.now() - since)
      if (status !== 200) red += 1
    }, 500)
    const outcome = await shoot({ ...shot, connections: 3_000, perSecond: peak * times, seconds })
    clearInterval(probing)
    const recoveryMillis = await recovery(started, tenant.key)
    const result = { seconds, leastUseful: leastUseful(limit), peak, outcome, red, recoveryMillis }
    log(
      `overload: ${seconds} s, pages of ${limit} sites, peak ${peak.toFixed(0)} a second, asked for ${(peak * times).toFixed(0)}`
    )
    log(`  useful, within a second: ${(usefulShare(result) * 100).toFixed(0)} % of the peak`)
    log(`  good ${figures(outcome.good)}; refused ${figures(outcome.refused)}; others ${outcome.other}`)
    log(`  readiness: ${figures(probes)}, ${red} red; recovered after ${recoveryMillis.toFixed(0)} ms`)
    return judgeOverload(result)
  } finally {
    await started.close()
  }
}

/** Another organisation reads small pages meanwhile. */
const neighbours = async (
  seconds: number,
  burstMillis: number,
  on: ReadonlyArray<string>,
  log: (line: string) => void
): Promise<ReadonlyArray<string>> => {
  const started = await startServer(limitPerMinute)
  const { newTenant, port } = started
  const found: Array<string> = []
  const calmSeconds = Math.min(seconds, mostNeighbourSeconds)
  try {
    const [own, other] = [await newTenant(), await newTenant()]
    const shot = { ...own, port, path: pageOf(50), connections: 10, seconds: calmSeconds, perSecond: 50 }
    await shoot({ ...shot, seconds: 3 })
    const compare = async (
      name: string,
      during: () => Promise<() => Promise<void>>,
      disturbedSeconds = calmSeconds
    ) => {
      // Alone right before each, because the machine may have other work.
      const alone = await shoot(shot)
      const end = await during()
      const disturbed = await shoot({ ...shot, seconds: disturbedSeconds })
      await end()
      log(`${name}: another organisation alone ${figures(alone.good)}; meanwhile ${figures(disturbed.good)}`)
      found.push(...judgeNeighbour(name, alone, disturbed))
      await sleep(500)
    }
    for (const disturber of on.includes("neighbours") ? disturbers : []) {
      // Each connection is a file of the server, too.
      if (fileLimit() < disturber.connections + 1_000) {
        log(
          `${disturber.name}: not run, ${disturber.connections} connections need a higher limit of open files (ulimit -n)`
        )
        continue
      }
      await compare(disturber.name, async () => {
        const disturbing = await disturb(disturber, { ...other, port })
        // The requests that have a body or a response to wait for are then under way.
        await sleep(settleMillis)
        log(`${disturber.name}: ${disturbing.open()} of ${disturber.connections} connections are open`)
        return disturbing.close
      })
    }
    if (!on.includes("flood")) return found
    const flooding = async () => {
      const floodSeconds = seconds + burstMillis / 1_000 + 2
      const flood = shoot({ ...other, port, path: pageOf(50), connections: 200, seconds: floodSeconds })
      await sleep(burstMillis)
      return async () => {
        const { good, limited, refused } = await flood
        log(`flood: ${good.length} answered, ${limited} limited, ${refused.length} refused`)
      }
    }
    await compare("flood", flooding, seconds)
    return found
  } finally {
    await started.close()
  }
}

export const load: Proof = {
  name: "load",
  title: "Three times the capacity, slow clients, and an organisation that floods; --runs is the seconds.",
  named: true,
  targets: ["overload", "small", "neighbours", "flood"],
  run: async ({ log, long, on = ["overload", "neighbours", "flood"], runs }) => {
    const seconds = runs ?? (long ? longSeconds : shortSeconds)
    const [calmSeconds, burstMillis] = long ? [seconds, 0] : [Math.min(seconds, mostNeighbourSeconds), usualBurstMillis]
    const found = [
      ...(on.includes("overload") ? await overload(sites, seconds, log) : []),
      ...(on.includes("small") ? await overload(50, seconds, log) : []),
      ...(on.includes("neighbours") || on.includes("flood") ? await neighbours(calmSeconds, burstMillis, on, log) : [])
    ]
    if (found.length > 0) throw new Error(found.join("\n"))
    return `${seconds} s at ${times} times the capacity`
  }
}
