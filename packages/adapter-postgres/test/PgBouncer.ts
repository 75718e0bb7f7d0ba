/**
 * Debian's pgbouncer in transaction mode, in front of the server of the run, on
 * a free port.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../../../scripts/freePort.ts"
import type { TestServer } from "./EmbeddedPostgres.ts"

// Few connections for many clients, so that no client gets the same one for long.
const settings = (port: number, { hostname, password, pathname, port: server, username }: URL) => `
[databases]
${pathname.slice(1)} = host=${hostname} port=${server || 5432} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
server_round_robin = 1
`

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

const ended = (running: ChildProcess): boolean => running.exitCode !== null || running.signalCode !== null

const { PATH: path } = process.env
const program = "pgbouncer"

/** Debian keeps it where only administrators look for programs. It refuses to run as root. */
const launch = (file: string): ChildProcess =>
  spawn(program, [file], {
    env: { ...process.env, PATH: `${path}:/usr/sbin` },
    ...(userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {})
  })

export const startPgBouncer = async (postgresUrl: string): Promise<TestServer> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-pgbouncer-"))
  const file = join(folder, "pgbouncer.ini")
  const [port, url] = [await freePort(), new URL(postgresUrl)]
  await writeFile(file, settings(port, url))
  await chmod(folder, 0o755)
  const running = launch(file)
  let log = ""
  running.stderr?.on("data", (chunk) => {
    log += String(chunk)
  })
  let fault: unknown
  running.once("error", (error) => {
    fault = error
  })
  const stop = async () => {
    if (running.pid !== undefined && !ended(running)) {
      running.kill("SIGKILL")
      await once(running, "exit")
    }
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await isListening(port))) {
    if (fault !== undefined || ended(running)) {
      await stop()
      throw new Error(`pgbouncer did not start: ${fault ?? log}`)
    }
    await sleep(20)
  }
  url.hostname = "127.0.0.1"
  url.port = String(port)
  return { url: url.href, stop }
}
