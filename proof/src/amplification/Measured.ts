/**
 * One measured request, and what it stored.
 */
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import type { Target } from "../fuzz/Target.ts"
import type { Case } from "./Case.ts"

export type Measured = Awaited<ReturnType<typeof measure>>

export interface Gauge {
  /** Bytes in use before; `end` answers the bytes above it. */
  readonly begin: () => Promise<() => Promise<number>>
  readonly stored: (() => Promise<number>) | undefined
}

setFlagsFromString("--expose-gc")
const collect: (options?: { readonly type: "minor" }) => void = runInNewContext("gc")

// A whole collection takes a quarter of a second. One that runs meanwhile can hide so much of a figure: a twentieth of the bound.
const uncollected = 32 * 1_048_576
let collected = 0

export const heapGauge: Gauge = {
  begin: async () => {
    collect({ type: "minor" })
    if (process.memoryUsage().heapUsed > collected + uncollected) {
      collect()
      collected = process.memoryUsage().heapUsed
    }
    const before = process.memoryUsage().heapUsed
    return async () => Math.max(0, process.memoryUsage().heapUsed - before)
  },
  stored: undefined
}

const residentBytes = async (pid: number, name: "VmHWM" | "VmRSS"): Promise<number> => {
  const [, kilobytes = "0"] = new RegExp(`${name}:\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) * 1_024
}

// For background jobs to end.
const quietMillis = 60_000

/** Resident memory of a server on Linux, and the size of its tables with indexes. */
export const serverGauge = ({ databaseUrl, pid }: { readonly databaseUrl: string; readonly pid: number }): Gauge => {
  const size = PgClient.use((client) =>
    client.run({
      operation: "size",
      text: `select coalesce(sum(pg_total_relation_size(c.oid)), 0)::text from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'solar' and c.relkind = 'r'`
    })
  ).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(databaseUrl), schema: "solar", queryTimeout: "60 seconds" }))
  )
  const bytes = async (): Promise<number> => {
    const [[text] = []] = await Effect.runPromise(size)
    if (typeof text !== "string") throw new Error("Postgres answers no size.")
    return Number(text)
  }
  return {
    begin: async () => {
      // Resets the peak.
      await writeFile(`/proc/${pid}/clear_refs`, "5")
      const before = await residentBytes(pid, "VmRSS")
      return async () => Math.max(0, (await residentBytes(pid, "VmHWM")) - before)
    },
    stored: async () => {
      // Events are sent, and tables are maintained, after a request.
      const end = performance.now() + quietMillis
      for (let before = await bytes(); ; ) {
        await sleep(250)
        const now = await bytes()
        if (now === before || performance.now() > end) return now
        before = now
      }
    }
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

export const measure = async (
  target: Target,
  gauge: Gauge,
  key: string,
  { input, operation, storesAfterMillis = 0 }: Case,
  [line, body]: Awaited<ReturnType<Case["prepare"]>>
) => {
  const [method = "", url = ""] = line.split(" ")
  const [path = "", query = ""] = url.split("?")
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { "x-api-key": key, ...(text === undefined ? {} : { "content-type": "application/json" }) }
  const storedBefore = (await gauge.stored?.()) ?? 0
  const end = await gauge.begin()
  const start = performance.now()
  const answer = await target.send({ method, path, query, headers, body: text })
  const milliseconds = performance.now() - start
  const memoryBytes = await end()
  if (gauge.stored !== undefined) await sleep(storesAfterMillis)
  const storedAfter = await gauge.stored?.()
  return {
    ...{ operation, input, status: answer.status },
    requestBytes: bytesOf(line) + bytesOf(text ?? ""),
    answerBytes: bytesOf(answer.text),
    /** Undefined without Postgres. */
    storedBytes: storedAfter === undefined ? undefined : Math.max(0, storedAfter - storedBefore),
    /** Growth of the heap, or of the peak of resident memory of the server. */
    memoryBytes,
    milliseconds
  }
}
