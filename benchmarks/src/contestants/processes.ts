/**
 * Starts contestants as processes.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isInstalled, startRedis } from "../../../packages/adapter-redis/test/RedisServer.ts"
import { startCollector } from "../services/collector.ts"
import type { Place } from "../services/database/database.ts"
import { bucket, startObjectStore } from "../services/objectStore.ts"
import type { Contestant } from "./contestants.ts"

export interface Running {
  readonly contestant: Contestant
  readonly origin: string
  readonly pid: number
}

export interface Field {
  readonly start: (contestant: Contestant) => Promise<Running>
  /** Ends all started processes and the services they use. */
  readonly stop: () => Promise<void>
}

const longestStart = 500_000
// The compile cache of Node halves the time of most starts.
const compiled = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url))

/**
 * Environment of all contestants. The limits of the reference server stay on, above the possible
 * load.
 */
const settingsOf = ({ schema, url }: Place, s3: string, folder: string) => ({
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: compiled,
  HOST: "127.0.0.1",
  PORT: "0",
  DATA_DIR: folder,
  DATABASE_URL: url,
  DATABASE_SCHEMA: schema,
  S3_ENDPOINT: s3,
  S3_BUCKET: bucket,
  AWS_ACCESS_KEY_ID: "access",
  AWS_SECRET_ACCESS_KEY: "secret",
  RATE_LIMIT_PER_MINUTE: "1000000",
  // Failures are counted per address; the benchmark sends many addresses.
  TRUSTED_PROXIES: "127.0.0.1",
  LOG_FORMAT: "json"
})

/** The first match in the output of the process. */
const printed = (child: ReturnType<typeof spawn>, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const { stdout } = child
    const timer = setTimeout(() => reject(new Error("did not listen in time")), longestStart)
    let text = ""
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)))
    stdout?.setEncoding("utf8").on("data", (more: string) => {
      text += more
      const match = pattern.exec(text)?.[1]
      if (match === undefined) return
      clearTimeout(timer)
      resolve(match)
    })
  })

const profiling = (folder: string | undefined, name: string): ReadonlyArray<string> =>
  folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`]

/**
 * With the folder `profiles`, each contestant writes a CPU profile there when it ends. `shared` are
 * further variables of all of them.
 */
export const openField = async (
  place: Place,
  profiles?: string,
  shared: Readonly<Record<string, string>> = {}
): Promise<Field> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-benchmark-"))
  const objectStore = await startObjectStore()
  const stops: Array<() => Promise<unknown>> = [objectStore.stop, () => rm(folder, { recursive: true, force: true })]
  const { HOME, PATH } = process.env

  const observing = async () => {
    const collector = await startCollector()
    stops.unshift(collector.stop)
    if (!(await isInstalled())) return { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    const redis = await startRedis()
    stops.unshift(redis.stop)
    return { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, REDIS_URL: redis.url }
  }

  return {
    start: async (contestant) => {
      const more = contestant.observed ? await observing() : {}
      const settings = settingsOf(place, objectStore.url, join(folder, contestant.name))
      const own = profiling(profiles, contestant.name)
      const child = spawn(process.execPath, [...own, ...contestant.arguments], {
        env: { HOME, PATH, ...settings, ...shared, ...more },
        // Access logs are written to a pipe and discarded.
        stdio: ["ignore", "pipe", process.env["BENCH_LOGS"] === "1" ? "inherit" : "ignore"]
      })
      const endAtOnce = () => void child.kill("SIGKILL")
      process.once("exit", endAtOnce)
      stops.unshift(async () => {
        process.off("exit", endAtOnce)
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill("SIGTERM")
        await once(child, "exit")
      })
      const origin = await printed(child, /listens on (http:\S+)/).catch((cause) => {
        throw new Error(`${contestant.title} did not start (BENCH_LOGS=1 shows why): ${String(cause)}`)
      })
      return { contestant, origin, pid: child.pid ?? -1 }
    },
    stop: async () => {
      for (const stop of stops) await stop()
    }
  }
}
