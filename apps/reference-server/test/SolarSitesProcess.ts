/**
 * Runs the command in a process without the test's environment, in a temporary
 * folder and with a maximum lifetime.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const source = fileURLToPath(new URL("../src/main.mjs", import.meta.url))
// Compile cache of Node: halves the time of most commands.
const compiled = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url))
// Maximum lifetimes, for aborted runs. A server runs for all tests of its file.
const longestCommand = 500_000
const longestServer = 1_800_000
// Retries, since an ended process may still have written to its folder.
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
const flags = ["--conditions=@solar-sites/source"]
const { HOME, PATH } = process.env

export type Variables = Readonly<Record<string, string>>

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly pid: number
  readonly finished: Promise<Finished>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Standard output so far. */
  readonly printed: () => string
  /** Standard error so far. */
  readonly logged: () => string
  /** First match in standard output; rejects with all output if the process ends before. */
  readonly prints: (pattern: RegExp) => Promise<RegExpExecArray>
}

const launch = (args: ReadonlyArray<string>, variables: Variables, hasInput: boolean): ChildProcess => {
  const cwd = mkdtempSync(join(tmpdir(), "solar-sites-"))
  // Tests and proofs bundle the sources, see `bundle.globalSetup.ts`; benchmarks start them as they are.
  const main = process.env["SOLAR_SITES_BUNDLE"] ?? source
  return spawn(process.execPath, [...flags, main, ...args], {
    cwd,
    env: { HOME, PATH, NODE_COMPILE_CACHE: compiled, ...variables },
    stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"]
  }).once("close", () => rmSync(cwd, removal))
}

export const start = (
  args: ReadonlyArray<string>,
  variables: Variables,
  longestLife = longestCommand,
  input?: string
): Started => {
  const child = launch(args, variables, input !== undefined)
  child.stdin?.end(input)
  let stdout = ""
  let stderr = ""
  const watchers = new Set<() => void>()
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
    for (const watcher of watchers) watcher()
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  const guard = setTimeout(() => child.kill("SIGKILL"), longestLife)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => {
      clearTimeout(guard)
      resolve({ code, signal, stdout, stderr })
    })
  })
  const prints = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(stdout)
        if (match === null) return
        watchers.delete(look)
        resolve(match)
      }
      watchers.add(look)
      look()
      finished.then((end) => reject(new Error(`ended before printing ${pattern}: ${JSON.stringify(end)}`)), reject)
    })
  return {
    pid: child.pid ?? -1,
    finished,
    kill: (signal) => void child.kill(signal),
    printed: () => stdout,
    logged: () => stderr,
    prints
  }
}

/** Runs a command to its end; without `input` there is no standard input. */
export const run = (args: ReadonlyArray<string>, variables: Variables = {}, input?: string): Promise<Finished> =>
  start(args, variables, longestCommand, input).finished

/** Runs a command with `--json`; resolves with its document. */
export const runJson = async (args: ReadonlyArray<string>, variables: Variables, input?: string): Promise<unknown> => {
  const end = await run([...args, "--json"], variables, input)
  if (end.code !== 0) throw new Error(`${args.join(" ")} failed: ${JSON.stringify(end)}`)
  return JSON.parse(end.stdout)
}

export interface Server extends Started {
  readonly address: string
}

/**
 * A server on a free port, ready for requests. Without the console by default, which may have to
 * be built.
 */
export const serve = async (
  variables: Variables,
  args: ReadonlyArray<string> = [],
  longestLife = longestServer
): Promise<Server> => {
  const started = start(
    ["serve", ...args],
    { PORT: "0", LOG_FORMAT: "json", CONSOLE: "false", ...variables },
    longestLife
  )
  const [, address = ""] = await started.prints(/^Solar Sites listens on (http:\S+)\n/)
  return { ...started, address }
}

/** Ends a server with SIGTERM. */
export const stop = (server: Started): Promise<Finished> => {
  server.kill("SIGTERM")
  return server.finished
}

/** An empty folder that is removed on disposal. */
export const temporaryFolder = async (): Promise<AsyncDisposable & { readonly path: string }> => {
  const path = await mkdtemp(join(tmpdir(), "solar-sites-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, removal) }
}
