/**
 * An S3 server for the length of a test run: the one at `S3_TEST_ENDPOINT`, or a
 * Ceph object gateway with one monitor and one store in memory, all on loopback
 * and in a temporary folder.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { freePort } from "../../../scripts/freePort.ts"
import { configuration } from "./CephConfiguration.ts"

export interface S3Server {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The process that answers requests; the store behind it is another one. */
interface Gateway {
  readonly freeze: () => void
  readonly thaw: () => void
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`, on the same port. */
  readonly start: () => Promise<void>
}

export interface RunningServer {
  readonly server: S3Server
  /** Undefined for the server at `S3_TEST_ENDPOINT`. */
  readonly gateway?: Gateway
  readonly stop: () => Promise<void>
}

const run = promisify(execFile)
const programs = ["ceph", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin"]
const startTimeoutMillis = 200_000

const missingPrograms = async (): Promise<ReadonlyArray<string>> => {
  const found = await Promise.all(programs.map((program) => run("which", [program]).then(Boolean, () => false)))
  return programs.filter((_, index) => found[index] !== true)
}

/** Polls until the condition holds; fails early if a daemon has ended. */
const until = async (what: string, daemons: ReadonlyArray<ChildProcess>, holds: () => Promise<boolean>) => {
  const deadline = performance.now() + startTimeoutMillis
  while (!(await holds())) {
    const ended = daemons.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
    if (ended !== undefined) throw new Error(`${ended.spawnfile} ended while waiting for ${what}`)
    if (performance.now() > deadline) throw new Error(`${what} did not come about within ${startTimeoutMillis} ms`)
    await pause(50)
  }
}

const end = async (daemon: ChildProcess): Promise<void> => {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const ended = once(daemon, "exit")
  // Its data is temporary, so a graceful shutdown is not needed.
  daemon.kill("SIGKILL")
  await ended
}

const lastLines = async (folder: string): Promise<string> => {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  return texts.map((text, index) => [names[index], ...text.trimEnd().split("\n").slice(-8)].join("\n")).join("\n")
}

/** Starts a gateway and creates a user. */
const startRgw = async (): Promise<RunningServer> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-rgw-"))
  const [monitorPort, port] = [await freePort(), await freePort()]
  const configurationFile = join(folder, "ceph.conf")
  const daemons: Array<ChildProcess> = []
  const clusterId = randomUUID()

  const call = (program: string, ...args: ReadonlyArray<string>) =>
    run(program, ["-c", configurationFile, ...args], { timeout: startTimeoutMillis })
  const daemon = (program: string, ...args: ReadonlyArray<string>) => {
    const started = spawn(program, ["-f", "-c", configurationFile, ...args], { stdio: "ignore" })
    daemons.push(started)
    return started
  }
  const endAll = () => {
    for (const one of daemons) one.kill("SIGKILL")
  }
  // For a run that ends without teardown.
  process.once("exit", endAll)
  const stop = async () => {
    process.off("exit", endAll)
    await Promise.all(daemons.toReversed().map(end))
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await Promise.all(["mon", "osd", "rgw", "log"].map((name) => mkdir(join(folder, name))))
    await writeFile(configurationFile, configuration({ clusterId, folder, monitorPort, port }))

    const map = join(folder, "monmap")
    const monitor = `[v1:127.0.0.1:${monitorPort}]`
    await run("monmaptool", ["--create", "--clobber", "--fsid", clusterId, "--addv", "a", monitor, map])
    await call("ceph-mon", "-i", "a", "--mkfs", "--monmap", map)
    daemon("ceph-mon", "-i", "a")

    // The monitor sometimes refuses a command with EPERM while it starts.
    const ask = (...args: ReadonlyArray<string>) =>
      until(`an answer to ceph ${args.join(" ")}`, daemons, () =>
        call("ceph", ...args).then(
          () => true,
          (cause) => {
            if (String(cause).includes("EPERM")) return false
            throw cause
          }
        )
      )
    const storeId = randomUUID()
    await ask("osd", "new", storeId)
    await call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", storeId)
    await ask("osd", "crush", "add", "osd.0", "1.0", "host=localhost", "root=default")
    daemon("ceph-osd", "-i", "0")
    // A gateway that starts before the store retries only after seconds.
    await until("the store to be up", daemons, () =>
      call("ceph", "osd", "stat").then(
        ({ stdout }) => stdout.includes("1 up"),
        () => false
      )
    )
    const endpoint = `http://127.0.0.1:${port}`
    let radosgw = daemon("radosgw", "-n", "client.rgw")
    const untilAnswer = () =>
      until("an answer of the gateway", daemons, () =>
        fetch(endpoint).then(
          async (response) => (await response.text()) !== "" && response.ok,
          () => false
        )
      )
    await untilAnswer()
    const [accessKeyId, secretAccessKey] = [randomBytes(10).toString("hex"), randomBytes(20).toString("hex")]
    const keys = ["--access-key", accessKeyId, "--secret", secretAccessKey]
    await call(
      "radosgw-admin",
      "-n",
      "client.rgw",
      "user",
      "create",
      "--uid",
      "tests",
      "--display-name",
      "Tests",
      ...keys
    )
    const gateway: Gateway = {
      freeze: () => void radosgw.kill("SIGSTOP"),
      thaw: () => void radosgw.kill("SIGCONT"),
      kill: async () => {
        daemons.splice(daemons.indexOf(radosgw), 1)
        await end(radosgw)
      },
      start: () => {
        radosgw = daemon("radosgw", "-n", "client.rgw")
        return untilAnswer()
      }
    }
    return { server: { endpoint, region: "us-east-1", accessKeyId, secretAccessKey }, gateway, stop }
  } catch (cause) {
    const logs = await lastLines(join(folder, "log"))
    await stop()
    throw new Error(`the Ceph object gateway did not start: ${String(cause)}\n${logs}`)
  }
}

/** The server for this run; `undefined` with a printed reason if it is missing and not required. */
export const findServer = async (): Promise<RunningServer | undefined> => {
  const { S3_TEST_ACCESS_KEY_ID, S3_TEST_ENDPOINT, S3_TEST_REGION, S3_TEST_SECRET_ACCESS_KEY } = process.env
  if (S3_TEST_ENDPOINT) {
    const server = {
      endpoint: S3_TEST_ENDPOINT,
      region: S3_TEST_REGION ?? "us-east-1",
      accessKeyId: S3_TEST_ACCESS_KEY_ID ?? "",
      secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? ""
    }
    return { server, stop: async () => {} }
  }
  try {
    const missing = await missingPrograms()
    if (missing.length > 0) throw new Error(`${missing.join(", ")} not installed`)
    return await startRgw()
  } catch (cause) {
    if (process.env["REQUIRE_SERVICES"] === "1") throw cause
    console.warn(`Tests against S3 are skipped: ${String(cause)}`)
    return undefined
  }
}
