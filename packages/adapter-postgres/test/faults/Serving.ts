/**
 * A server over the adapter in a child process, and what a client sees of it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { activeTime } from "../../../../scripts/activeTime.ts"

const child = fileURLToPath(new URL("./ServerChild.ts", import.meta.url))
const hook = fileURLToPath(new URL("./driverHook.ts", import.meta.url))

/** `status` is 0 without an answer; `milliseconds` is how long it took to know, `activeMillis` how long without stalls. */
export interface Answer {
  readonly status: number
  readonly milliseconds: number
  readonly activeMillis: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  readonly body: string
}

export interface Serving {
  readonly pid: number
  readonly send: (line: string, body?: unknown) => Promise<Answer>
  /** Why the process has ended, or null while it runs. */
  readonly ended: () => string | null
}

interface Settings {
  readonly url: string
  readonly schema: string
  readonly applicationName?: string
  readonly driver?: string
  /** Connections close more often before a write: see `lengthenTurns`. */
  readonly longTurns?: boolean
  readonly queryTimeoutMillis?: number
  /** Organisation of the key to create. Default: a new one. */
  readonly organisationId?: string
}

const patienceMillis = 120_000

const client = (pid: number, port: number, key: string, ended: () => string | null): Serving => ({
  pid,
  ended,
  send: async (line, body) => {
    const [method = "GET", path = "/"] = line.split(" ")
    const started = performance.now()
    using since = activeTime()
    const took = () => ({ milliseconds: Math.round(performance.now() - started), activeMillis: since.millis() })
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { "x-api-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        signal: AbortSignal.timeout(patienceMillis),
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      const isProblem = response.headers.get("content-type")?.includes("problem") === true
      const code = isProblem ? String(JSON.parse(text).code) : undefined
      const retryAfter = response.headers.get("retry-after")
      return { status: response.status, ...took(), code, retryAfter, body: text }
    } catch (cause) {
      return { status: 0, ...took(), code: undefined, retryAfter: null, body: String(cause) }
    }
  }
})

const start = async (running: ChildProcess): Promise<Serving> => {
  let ended: string | null = null
  let errors = ""
  running.stderr?.on("data", (chunk) => {
    errors += String(chunk)
  })
  const exit = once(running, "exit").then(([code, signal]) => {
    ended = `ended with ${code ?? signal}: ${errors.slice(-2_000)}`
    throw new Error(ended)
  })
  exit.catch(() => {})
  if (running.stdout === null) throw new Error("a child without an output")
  const [line] = await Promise.race([once(createInterface({ input: running.stdout }), "line"), exit])
  const { key, port } = JSON.parse(line)
  return client(running.pid ?? 0, port, key, () => ended)
}

/** Runs as long as the scope is open. */
export const serving = ({
  applicationName = "faults",
  driver,
  longTurns = false,
  organisationId,
  queryTimeoutMillis = 5_000,
  schema,
  url
}: Settings) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        process.execPath,
        [
          ...["--import", hook, "--conditions=@solar-sites/source", child],
          ...[url, schema, applicationName, String(queryTimeoutMillis)],
          ...(organisationId === undefined ? [] : [organisationId])
        ],
        {
          env: {
            ...process.env,
            ...(driver === undefined ? {} : { POSTGRES_DRIVER: driver }),
            ...(longTurns ? { LONG_TURNS: "yes" } : {})
          }
        }
      )
    ),
    (running) =>
      Effect.promise(async () => {
        if (running.exitCode !== null || running.signalCode !== null) return
        running.kill("SIGKILL")
        await once(running, "exit")
      })
  ).pipe(Effect.flatMap((running) => Effect.promise(() => start(running))))
