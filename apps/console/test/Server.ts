/**
 * The server with the built console, in a process of its own, on a copy of prepared data. The files
 * of a worker share one, with an organisation each. Files with other settings start their own.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { OrganisationId } from "@solar-sites/core"
import { inject, vi } from "vitest"
import { dataName, reportName } from "./PreparedData.ts"

const app = new URL("../../reference-server/", import.meta.url)
// The bundle of `bundle.globalSetup.ts` of the server; in watch mode the sources.
const main = process.env["SOLAR_SITES_BUNDLE"] ?? fileURLToPath(new URL("src/main.mjs", app))
const compiled = fileURLToPath(new URL("node_modules/.cache/compiled", app))
// No server outlives its worker: the end of the worker closes the standard input.
const endWithWorker = 'process.stdin.on("end", () => process.exit()).resume()'
// V8 optimises the WebAssembly of the embedded database for half a second of processor time per
// process, which these short processes never regain.
const flags = ["--conditions=@solar-sites/source", "--liftoff-only", `--import=data:text/javascript,${endWithWorker}`]
const { HOME, PATH } = process.env

type Variables = Readonly<Record<string, string>>

export interface Server extends AsyncDisposable {
  readonly origin: string
  /** All output so far. */
  readonly output: () => string
  /** Takes an organisation that no other file has. */
  readonly take: (name: "Demo organisation" | "Others") => Organisation
}

export interface Login {
  readonly email: string
  readonly password: string
}

export interface Organisation {
  readonly id: OrganisationId
  readonly name: string
  /** Called "Demo user". */
  readonly owner: Login
  /** Called "Katherine Johnson". */
  readonly admin: Login
  /** Called "Mary Jackson". */
  readonly member: Login
  /** Called "Vera Rubin". */
  readonly viewer: Login
  /** Path of a link that sets a new password of the viewer. */
  readonly resetPath: string
  readonly apiKey: string
}

const launch = (variables: Variables): ChildProcess =>
  spawn(process.execPath, [...flags, main, "serve"], {
    env: { HOME, PATH, NODE_COMPILE_CACHE: compiled, ...variables },
    stdio: ["pipe", "pipe", "pipe"]
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

const serve = async (variables: Variables): Promise<Omit<Server, "take">> => {
  const child = launch({ PORT: "0", LOG_FORMAT: "json", ...variables })
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
const report = join(prepared, reportName)

/** The organisations of a copy, once `prepareOrganisations.ts` has made them. */
const preparedOrganisations = async (): Promise<Array<Organisation>> => {
  const made = JSON.parse(await vi.waitFor(() => readFile(report, "utf8"), { timeout: 300_000, interval: 25 }))
  if ("fault" in made) throw new Error(`the organisations were not prepared: ${made.fault}`)
  return made
}

/** A server with its own settings, on a copy of the data. */
export const startServer = async (variables: Variables): Promise<Server> => {
  const left = await preparedOrganisations()
  const take: Server["take"] = (name) => {
    const found = left.find((organisation) => organisation.name === name)
    if (found === undefined) throw new Error(`no organisation called ${name} is left: prepare more of them`)
    left.splice(left.indexOf(found), 1)
    return found
  }
  const folder = await mkdtemp(join(prepared, "copy-"))
  // Half the processor time of the asynchronous copy: the folder has hundreds of small files.
  cpSync(join(prepared, dataName), folder, { recursive: true })
  const server = await serve({ DATA_DIR: folder, ...variables })
  const dispose = async () => {
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...server, take, [Symbol.asyncDispose]: dispose }
}

let shared: Promise<Server> | undefined

/** The server of this worker, for all files without settings of their own. */
export const sharedServer = (): Promise<Server> => {
  // Limits of failed logins, which are off without a limit of requests.
  shared ??= startServer({ RATE_LIMIT_PER_MINUTE: "1000000", WEBHOOK_ALLOW_PRIVATE: "true" })
  return shared
}
