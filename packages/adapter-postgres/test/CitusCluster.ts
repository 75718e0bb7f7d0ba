/**
 * A Citus cluster on free ports of this machine: a coordinator and two workers, in a temporary folder.
 *
 * The programs are those of `CITUS_BIN`, or of Debian's Postgres where Citus is installed in it.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import postgres from "postgres"
import { freePort } from "../../../scripts/freePort.ts"
import type { TestServer } from "./EmbeddedPostgres.ts"

interface CitusNode {
  readonly port: number
  /** Kills the node. Its data stay for `start`, on the same port. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

export interface CitusCluster extends TestServer {
  readonly workers: readonly [CitusNode, CitusNode]
}

const { CITUS_BIN: given, REQUIRE_SERVICES: required } = process.env

const debian = "/usr/lib/postgresql"

const versions = existsSync(debian) ? readdirSync(debian) : []

const programs =
  given ??
  versions.filter((version) => existsSync(`${debian}/${version}/lib/citus.so`)).map((v) => `${debian}/${v}/bin`)[0]

/** True without the programs of Citus, whose absence is reported here. */
export const withoutCitus = programs === undefined
if (withoutCitus) {
  const reason = "Citus is missing: set CITUS_BIN to the folder of the programs of a Postgres with the extension citus."
  if (required === "1") throw new Error(reason)
  console.warn(`Tests on Citus are skipped: ${reason}`)
}

// Postgres does not run under root.
const nobody = 65_534
const account = userInfo().uid === 0 ? { uid: nobody, gid: nobody } : {}

// The nodes look for certificates in the home of their user.
const options = (folder: string) => ({ ...account, env: { ...process.env, HOME: folder } })

const settings = (port: number, more: ReadonlyArray<string>) =>
  [
    "shared_preload_libraries = 'citus'",
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    "max_connections = 300",
    "max_prepared_transactions = 200",
    "wal_level = logical",
    "shared_buffers = '32MB'",
    "citus.enable_statistics_collection = off",
    // The default of 32 makes a thousand tables and indexes per schema.
    "citus.shard_count = 8",
    "citus.node_conninfo = 'sslmode=disable'",
    ...more,
    ""
  ].join("\n")

const connect = (port: number) =>
  postgres({ host: "127.0.0.1", port, user: "postgres", database: "postgres", max: 1, onnotice: () => {} })

const isReady = async (port: number): Promise<boolean> => {
  const sql = connect(port)
  return sql`select 1`
    .then(
      () => true,
      () => false
    )
    .finally(() => sql.end())
}

const ended = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const initialise = (folder: string) =>
  promisify(execFile)(
    join(programs ?? "", "initdb"),
    ["-D", folder, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"],
    options(folder)
  )

const makeNode = async (folder: string, more: ReadonlyArray<string>): Promise<CitusNode> => {
  const port = await freePort()
  const log = `${folder}.log`
  await appendFile(join(folder, "postgresql.conf"), settings(port, more))
  let running: ChildProcess | undefined

  const kill = async () => {
    if (running === undefined || ended(running)) return
    // SIGQUIT ends the whole server at once, without a checkpoint.
    running.kill("SIGQUIT")
    await once(running, "exit")
  }
  const start = async () => {
    const server = spawn(join(programs ?? "", "postgres"), ["-D", folder], {
      ...options(folder),
      stdio: ["ignore", "ignore", "pipe"]
    })
    process.once("exit", () => server.kill("SIGKILL"))
    server.stderr?.on("data", (chunk: Buffer) => void appendFile(log, chunk).catch(() => {}))
    running = server
    while (!(await isReady(port))) {
      if (ended(server)) throw new Error(`a node of Citus did not start: ${await readFile(log, "utf8")}`)
      await sleep(50)
    }
  }
  await start()
  const sql = connect(port)
  await sql`create extension citus`
  await sql.end()
  return { port, kill, start }
}

/** Starts a cluster. `more` are lines of the configuration of each node. By default nothing is written to the disk at once. */
export const startCitus = async (more: ReadonlyArray<string> = ["fsync = off"]): Promise<CitusCluster> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-citus-"))
  await chmod(folder, 0o755)
  const data = join(folder, "data")
  await mkdir(data)
  if (account.uid !== undefined) await chown(data, account.uid, account.gid)
  await initialise(join(data, "empty"))
  for (const name of ["coordinator", "first", "second"]) {
    await promisify(execFile)("cp", ["-a", join(data, "empty"), join(data, name)])
  }
  const [coordinator, first, second] = await Promise.all([
    makeNode(join(data, "coordinator"), more),
    makeNode(join(data, "first"), more),
    makeNode(join(data, "second"), more)
  ])
  const sql = connect(coordinator.port)
  await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`
  for (const { port } of [first, second]) await sql`select citus_add_node('127.0.0.1', ${port})`
  await sql.end()
  return {
    url: `postgres://postgres@127.0.0.1:${coordinator.port}/postgres`,
    workers: [first, second],
    stop: async () => {
      await Promise.all([coordinator, first, second].map(({ kill }) => kill()))
      await rm(folder, { recursive: true, force: true })
    }
  }
}
