/**
 * The server with the built console, in a process of its own, on a copy of the data of a first
 * start.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject, vi } from "vitest"
import { isSlow } from "./SlowPages.ts"

const app = new URL("../../reference-server/", import.meta.url)
// The bundle of `bundle.globalSetup.ts` of the server; in watch mode the sources.
const main = process.env["SOLAR_SITES_BUNDLE"] ?? fileURLToPath(new URL("src/main.ts", app))
const compiled = fileURLToPath(new URL("node_modules/.cache/compiled", app))
// No process outlives an interrupted run.
const longestLife = isSlow ? 3_600_000 : 600_000
// V8 optimises the WebAssembly of the embedded database for half a second of processor time per
// process, which these short processes never regain.
const flags = ["--conditions=@solar-sites/source", "--liftoff-only"]
const { HOME, PATH } = process.env

export type Variables = Readonly<Record<string, string>>

interface Server extends AsyncDisposable {
  readonly origin: string
  /** All output so far. */
  readonly output: () => string
}

export interface Login {
  readonly email: string
  readonly password: string
}

const launch = (args: ReadonlyArray<string>, variables: Variables): ChildProcess =>
  spawn(process.execPath, [...flags, main, ...args], {
    env: { HOME, PATH, NODE_COMPILE_CACHE: compiled, ...variables },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: longestLife,
    killSignal: "SIGKILL"
  })

const follow = (child: ChildProcess) => {
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  return { output: () => output, ended }
}

/** Runs a command of the server and returns its output. */
const command = async (args: ReadonlyArray<string>, variables: Variables, input = ""): Promise<string> => {
  const child = launch(args, variables)
  const { ended, output } = follow(child)
  child.stdin?.end(input)
  if ((await ended) !== 0) throw new Error(`${args.join(" ")} failed: ${output()}`)
  return output()
}

const serve = async (variables: Variables): Promise<Server> => {
  const child = launch(["serve"], { PORT: "0", LOG_FORMAT: "json", ...variables })
  const { ended, output } = follow(child)
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  const listening = vi.waitFor(
    () => {
      const [, origin] = /^Solar Sites listens on (http:\S+)\n/m.exec(output()) ?? []
      if (origin === undefined) throw new Error(`the server does not listen: ${output()}`)
      return origin
    },
    { timeout: 120_000, interval: 25 }
  )
  const died = ended.then((code) => Promise.reject(new Error(`the server ended with ${code}: ${output()}`)))
  const origin = await Promise.race([listening, died])
  died.catch(() => {})
  await vi.waitFor(
    async () => {
      const { status } = await fetch(`${origin}/login`)
      if (status !== 200) throw new Error(`the console answers ${status}: ${output()}`)
    },
    { timeout: 120_000, interval: 50 }
  )
  return { origin, output, [Symbol.asyncDispose]: stop }
}

const prepared = inject("consolePrepared")
const dataDirectory = join(prepared, "data")
const report = join(prepared, "login.json")

const prepare = async (): Promise<Login> => {
  await using server = await serve({ DATA_DIR: dataDirectory })
  const [, email = "", password = ""] = /^Log in at \S+ as (\S+) with .*\n\n {2}(\S+)\n/m.exec(server.output()) ?? []
  return { email, password }
}

const isFirst = (): Promise<boolean> =>
  mkdir(join(prepared, "making")).then(
    () => true,
    () => false
  )

/** The login of a copy. The first file that needs it creates the original; the others wait. */
const preparedLogin = async (): Promise<Login> => {
  if (await isFirst()) {
    await writeFile(`${report}.part`, JSON.stringify(await prepare()))
    await rename(`${report}.part`, report)
  }
  return JSON.parse(await vi.waitFor(() => readFile(report, "utf8"), { timeout: 120_000, interval: 50 }))
}

/** JSON in the output of a command; warnings of Node may surround it. */
export const jsonIn = (output: string) => JSON.parse(/^\{.*\}$/ms.exec(output)?.[0] ?? "{}")

export interface PreparedServer extends Server {
  readonly login: Login
  readonly folder: string
}

/** Runs commands on the data of a server before its start; `input` is their standard input. */
export type Prepare = (run: (args: ReadonlyArray<string>, input?: string) => Promise<string>) => Promise<void>

/** A server for one test file, with one organisation, one login and prepared data. */
export const startServer = async (variables: Variables = {}, prepare?: Prepare): Promise<PreparedServer> => {
  const login = await preparedLogin()
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-console-"))
  // Half the processor time of the asynchronous copy: the folder has a thousand small files.
  cpSync(dataDirectory, folder, { recursive: true })
  await prepare?.((args, input) => command(args, { DATA_DIR: folder }, input))
  const server = await serve({ DATA_DIR: folder, ...variables })
  const dispose = async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...server, login, folder, [Symbol.asyncDispose]: dispose }
}
