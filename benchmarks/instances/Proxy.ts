/**
 * HAProxy with the configuration of the recipe (`deploy/haproxy.cfg`), before any number of servers.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../../scripts/freePort.ts"

export interface Proxy {
  readonly origin: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

const recipe = new URL("../../deploy/haproxy.cfg", import.meta.url)
const program = "haproxy"
const startTimeoutMillis = 20_000
const { PATH } = process.env

export const startProxy = async (origins: ReadonlyArray<string>): Promise<Proxy> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-proxy-"))
  const file = join(folder, "haproxy.cfg")
  const lines = origins.map((origin, index) => `  server ${index + 1} ${new URL(origin).host}\n`).join("")
  const text = await readFile(recipe, "utf8")
  await writeFile(file, text.replace(/( {2}server \d .*\n)+/, lines))
  const port = await freePort()
  const child = spawn(program, ["-q", "-f", file], {
    // Debian keeps it where only administrators look for programs.
    env: { PATH: `${PATH}:/usr/sbin`, BIND: `127.0.0.1:${port}` },
    stdio: "ignore"
  })
  const failed = once(child, "error").then(([cause]) => Promise.reject(cause))
  failed.catch(() => {})
  const endAtOnce = () => void child.kill("SIGKILL")
  process.once("exit", endAtOnce)
  const origin = `http://127.0.0.1:${port}`
  const ready = async (): Promise<void> => {
    const deadline = performance.now() + startTimeoutMillis
    const isReady = () =>
      fetch(`${origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false
      )
    while (!(await isReady())) {
      if (performance.now() > deadline) throw new Error("HAProxy did not answer in time")
      await pause(50)
    }
  }
  await Promise.race([ready(), failed])
  return {
    origin,
    pid: child.pid ?? -1,
    stop: async () => {
      process.off("exit", endAtOnce)
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  }
}
