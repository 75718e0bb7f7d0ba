/**
 * A primary and its synchronous standby, on loopback, each behind a network that can
 * be cut. Real servers that stream their log; a base backup makes a standby.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import postgres from "postgres"
import { freePort } from "../../../../scripts/freePort.ts"
import { startEmbedded } from "../EmbeddedPostgres.ts"
import { processesOf } from "./OwnServer.ts"
import { type Network, networkTo } from "./Partition.ts"

const run = promisify(execFile)

interface Node {
  readonly folder: string
  readonly port: number
  /** Network to its clients. */
  readonly network: Network
  /** Network to its standby. */
  readonly replication: Network
}

export interface Pair {
  /** Address with both hosts, through their networks. */
  readonly url: string
  readonly primary: () => Node
  readonly standby: () => Node
  /** Ends a server at once, as a loss of power does. */
  readonly kill: (node: Node) => Promise<void>
  /** Ends a server in order: its standby has everything. */
  readonly shutDown: (node: Node) => Promise<void>
  /** Makes the standby the primary. Resolves when it accepts writes. */
  readonly promote: () => Promise<void>
  /** Makes the former primary a synchronous standby of the present one, with a copy of its data. */
  readonly rejoin: () => Promise<void>
  /** The same after `shutDown`, with the data that the former primary has. */
  readonly resume: () => Promise<void>
  /** Runs a statement on one server, past its network. */
  readonly ask: (node: Node, text: string) => Promise<ReadonlyArray<ReadonlyArray<unknown>>>
}

const login = "postgres://postgres:postgres@"

/** One connection past the network. */
const session = async <A>({ port }: Node, use: (sql: postgres.Sql) => Promise<A>): Promise<A> => {
  const sql = postgres(`${login}127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {}, connect_timeout: 5 })
  try {
    return await use(sql)
  } finally {
    await sql.end({ timeout: 0 })
  }
}

const ask: Pair["ask"] = (node, text) => session(node, (sql) => sql.unsafe(text).values())

/** Asks until the first value is the expected one. */
const until = async (node: Node, text: string, expected: unknown): Promise<void> => {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    const [row] = await ask(node, text).catch(() => [])
    if (row?.[0] === expected) return
    await sleep(50)
  }
  throw new Error(`a server at port ${node.port} never answered ${expected} to: ${text}`)
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const end = async (node: Node, signal: NodeJS.Signals, all: boolean): Promise<void> => {
  const pids = await processesOf(node).catch(() => [])
  const [listening = 0] = pids
  for (const pid of all ? pids : pids.slice(0, 1)) if (isAlive(pid)) process.kill(pid, signal)
  while (listening > 0 && isAlive(listening)) await sleep(5)
}

const kill = (node: Node): Promise<void> => end(node, "SIGKILL", true)

const shutDown = (node: Node): Promise<void> => end(node, "SIGINT", false)

/** Starts the server in its folder, replicating from `source` while it is a standby. */
const start = async (program: string, node: Node, source: Node): Promise<void> => {
  const { gid, uid } = await stat(join(node.folder, "data"))
  const connection = `host=127.0.0.1 port=${source.replication.port} user=postgres password=postgres`
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "wal_keep_size=512MB",
    "wal_retrieve_retry_interval=100ms",
    `primary_conninfo=${connection}`
  ]
  const log = await open(join(node.folder, "log"), "a")
  const parameters = ["-D", join(node.folder, "data"), "-p", `${node.port}`, ...settings.flatMap((one) => ["-c", one])]
  const owner = process.getuid?.() === 0 ? { uid, gid } : {}
  const running = spawn(program, parameters, { ...owner, stdio: ["ignore", log.fd, log.fd] })
  await once(running, "spawn")
  await log.close()
  running.unref()
  // No server outlives the tests.
  const end = () => running.kill("SIGKILL")
  process.once("exit", end)
  running.once("exit", () => process.off("exit", end))
  await until(node, "select 1", 1)
}

const giveTo = async (owned: string, path: string): Promise<void> => {
  const { gid, uid } = await stat(owned)
  if (process.getuid?.() === 0) await run("chown", ["-R", `${uid}:${gid}`, path])
}

/** The next start of the server is one as a standby. */
const beStandby = async ({ folder }: Node): Promise<void> => {
  const data = join(folder, "data")
  await writeFile(join(data, "standby.signal"), "")
  await giveTo(join(data, "PG_VERSION"), data)
}

/** Fills a folder with the data of a running server. */
const copyFrom = async (source: Node, target: Node): Promise<void> => {
  const data = join(target.folder, "data")
  await rm(data, { recursive: true, force: true })
  await mkdir(target.folder, { recursive: true })
  const label = await session(source, async (sql) => {
    await sql`select pg_backup_start('pair', true)`
    // A file that the server removes meanwhile is none that the copy needs.
    await run("cp", ["-a", join(source.folder, "data"), data]).catch(() => {})
    const [row] = await sql`select labelfile from pg_backup_stop(false)`
    const { labelfile } = row ?? {}
    return String(labelfile)
  })
  await rm(join(data, "postmaster.pid"), { force: true })
  for (const name of await readdir(join(data, "pg_wal"))) {
    if (/^[0-9A-F]{24}$/.test(name)) await rm(join(data, "pg_wal", name))
  }
  await writeFile(join(data, "backup_label"), label)
  await beStandby(target)
}

const make = async (folder: string, program: string) => {
  const node = async (name: string): Promise<Node> => {
    const port = await freePort()
    return { folder: join(folder, name), port, network: await networkTo(port), replication: await networkTo(port) }
  }
  let [primary, standby] = [await node("a"), await node("b")]

  const startStandby = async (): Promise<void> => {
    await start(program, standby, primary)
    for (const [one, names] of [
      [standby, ""],
      [primary, "*"]
    ] as const) {
      await ask(one, `alter system set synchronous_standby_names = '${names}'`)
      await ask(one, "select pg_reload_conf()")
    }
    await until(primary, "select sync_state from pg_stat_replication", "sync")
  }

  const rejoin = async (): Promise<void> => {
    await kill(standby)
    for (const network of [standby.network, standby.replication]) network.mend()
    await copyFrom(primary, standby)
    await startStandby()
  }

  const pair: Pair = {
    url: `${login}127.0.0.1:${primary.network.port},127.0.0.1:${standby.network.port}/postgres?target_session_attrs=read-write`,
    primary: () => primary,
    standby: () => standby,
    kill,
    shutDown,
    ask,
    rejoin,
    resume: async () => {
      await beStandby(standby)
      await startStandby()
    },
    promote: async () => {
      await until(standby, "select pg_promote()", true)
      ;[primary, standby] = [standby, primary]
    }
  }
  const stop = async () => {
    for (const one of [primary, standby]) {
      for (const network of [one.network, one.replication]) network.close()
      await kill(one)
    }
  }
  await mkdir(primary.folder)
  await cp(join(folder, "data"), join(primary.folder, "data"), { recursive: true })
  await giveTo(join(folder, "data"), primary.folder)
  await start(program, primary, standby)
  await rejoin()
  return { pair, stop }
}

/** Starts a pair. */
export const startPair = async (): Promise<Pair & { readonly stop: () => Promise<void> }> => {
  const seed = await startEmbedded()
  // The first word is the path of the program, in quotes or not.
  const line = await readFile(join(seed.folder, "data", "postmaster.opts"), "utf8")
  const [, quoted, plain] = /^(?:"([^"]+)"|(\S+))/.exec(line) ?? []
  await seed.halt()
  try {
    const { pair, stop } = await make(seed.folder, quoted ?? plain ?? "postgres")
    return { ...pair, stop: () => stop().finally(seed.stop) }
  } catch (cause) {
    await seed.stop()
    throw cause
  }
}
