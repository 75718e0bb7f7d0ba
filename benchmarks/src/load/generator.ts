/**
 * The load generator: autocannon, with latencies in microseconds instead of milliseconds.
 */
import { setTimeout as pause } from "node:timers/promises"
import autocannon from "autocannon"
import type { Fixture } from "../services/database/fixture.ts"
import { type Workload, workloads } from "../workloads.ts"
import { processUse } from "./processUse.ts"
import type { FromGenerator, Measurement, Task, ToGenerator } from "./protocol.ts"

const longestSettling = 10_000
const idleMilliseconds = 100
// Two ticks of the clock by which Linux counts processor time.
const idleMicros = 20_000

const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Counts over the whole run, so that no two requests of a workload are equal by accident. */
const counts = new Map<string, number>()

const requestsOf = (
  { name, request, second, varies }: Workload,
  fixture: Fixture
): ReadonlyArray<autocannon.Request> => {
  // Each pass of a connection through the requests has a context of its own.
  const numbers = new WeakMap<object, number>()
  const next = (context: object): number => {
    const n = counts.get(name) ?? 0
    counts.set(name, n + 1)
    numbers.set(context, n)
    return n
  }
  const made = (make: Workload["request"], n: number): autocannon.Request => {
    const { headers, ...others } = make(fixture, n)
    return { ...others, headers: { ...headers } }
  }
  const first = made(request, 0)
  if (!varies) return [first]
  const firstOf: autocannon.Request = {
    ...first,
    setupRequest: (_, context) => ({ ...firstOf, ...made(request, next(context)) })
  }
  if (second === undefined) return [firstOf]
  const secondOf: autocannon.Request = {
    ...made(second, 0),
    setupRequest: (_, context) => ({ ...secondOf, ...made(second, numbers.get(context) ?? 0) })
  }
  return [firstOf, secondOf]
}

interface Shot {
  readonly latencies: ReadonlyArray<number>
  readonly seconds: number
}

const shoot = async (workload: Workload, fixture: Fixture, task: Task, seconds: number): Promise<Shot> => {
  const latencies: Array<number> = []
  const unexpected = new Map<number, number>()
  const started = performance.now()
  let ended = started
  const { errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: task.origin,
        connections: task.connections,
        duration: seconds,
        // Interval of the check whether the time is over.
        sampleInt: 50,
        requests: [...requestsOf(workload, fixture)]
      },
      (error, result) => (error ? reject(error) : resolve(result))
    )
    instance.on("response", (_client, status, _bytes, milliseconds) => {
      ended = performance.now()
      if (status === workload.status) latencies.push(milliseconds)
      else unexpected.set(status, (unexpected.get(status) ?? 0) + 1)
    })
  })
  if (errors + timeouts > 0 || unexpected.size > 0) {
    const statuses = [...unexpected].map(([status, count]) => `${count} × ${status}`).join(", ")
    throw new Error(
      `${workload.title}: ${errors} errors, ${timeouts} timeouts, ${statuses} instead of ${workload.status}`
    )
  }
  return { latencies, seconds: (ended - started) / 1_000 }
}

/** Waits until the server has finished all requests, so that the next measurement starts idle. */
const settle = async (pid: number): Promise<void> => {
  const deadline = performance.now() + longestSettling
  let before = await processUse(pid)
  while (before !== null && performance.now() < deadline) {
    await pause(idleMilliseconds)
    const now = await processUse(pid)
    if (now === null || now.processorMicros - before.processorMicros < idleMicros) return
    before = now
  }
}

const measure = async (fixture: Fixture, task: Task): Promise<Measurement> => {
  const workload = workloads.find(({ name }) => name === task.workload)
  if (workload === undefined) throw new Error(`there is no workload called ${task.workload}`)
  if (task.warmUpSeconds > 0) {
    await shoot(workload, fixture, task, task.warmUpSeconds)
    // Its last requests run on without a connection; beside new ones they are too many for a slow server.
    await settle(task.pid)
  }
  const before = await processUse(task.pid)
  const { latencies, seconds } = await shoot(workload, fixture, task, task.seconds)
  const after = await processUse(task.pid)
  await settle(task.pid)
  const sorted = latencies.toSorted((a, b) => a - b)
  const requests = sorted.length
  return {
    requests,
    perSecond: requests / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    processorMicros:
      before && after && requests > 0 ? (after.processorMicros - before.processorMicros) / requests : null,
    residentMegabytes: after?.residentMegabytes ?? null
  }
}

const reply = (message: FromGenerator): void => void process.send?.(message)

let fixture: Fixture | undefined
process.on("message", (message: ToGenerator) => {
  if ("fixture" in message) {
    fixture = message.fixture
    reply({ ready: true })
    return
  }
  if (fixture === undefined) return reply({ failure: "there is no fixture yet" })
  measure(fixture, message.task).then(
    (measurement) => reply({ measurement }),
    (error) => reply({ failure: error instanceof Error ? error.message : String(error) })
  )
})
process.once("disconnect", () => process.exit(0))
