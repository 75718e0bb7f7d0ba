/**
 * A Redis server on loopback and a free port, without persistence, that tests can kill and freeze.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { freePort } from "../../../scripts/freePort.ts"

export interface RedisServer {
  readonly url: string
  /** Id of the process that runs, or ran last. */
  readonly pid: () => number
  /** Ends it with SIGKILL. */
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`, on the same port and empty. */
  readonly start: () => Promise<void>
  /** Stops it with SIGSTOP: it accepts connections and answers nothing. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly stop: () => Promise<void>
}

const program = "redis-server"
const startTimeoutMillis = 200_000

export const isInstalled = (): Promise<boolean> =>
  promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false
  )

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const settle = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once("error", () => settle(false))
    socket.once("data", (data) => settle(data.toString().startsWith("+PONG")))
    socket.write("PING\r\n")
  })

export const startRedis = async (givenPort?: number): Promise<RedisServer> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-redis-"))
  const port = givenPort ?? (await freePort())
  let running: ChildProcess | undefined

  const endAtOnce = () => void running?.kill("SIGKILL")
  // For a run that ends without teardown.
  process.once("exit", endAtOnce)

  const start = async () => {
    const place = ["--bind", "127.0.0.1", "--port", String(port), "--dir", folder]
    const server = spawn(program, [...place, "--save", "", "--appendonly", "no"], { stdio: "ignore" })
    running = server
    const deadline = performance.now() + startTimeoutMillis
    while (!(await answers(port))) {
      if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}`)
      if (performance.now() > deadline) throw new Error(`${program} did not answer within ${startTimeoutMillis} ms`)
      await pause(5)
    }
  }

  const kill = async () => {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, "exit")
    running.kill("SIGKILL")
    await ended
  }

  const stop = async () => {
    process.off("exit", endAtOnce)
    await kill()
    await rm(folder, { recursive: true, force: true })
  }

  await start().catch(async (cause) => {
    await stop()
    throw cause
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => running?.pid ?? -1,
    kill,
    start,
    freeze: () => void running?.kill("SIGSTOP"),
    thaw: () => void running?.kill("SIGCONT"),
    stop
  }
}
