/**
 * Runs an example application in its own process, on a free port, with its own folder.
 */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePort } from "../../../scripts/freePort.ts"

/** `command`: arguments of `node`. `ready`: printed by the example when it serves. */
export interface Example {
  readonly name: string
  readonly command: ReadonlyArray<string>
  readonly ready: RegExp
  readonly env?: Readonly<Record<string, string>>
}

export interface Running {
  readonly address: string
  /** The first group of `ready` in the printed text. */
  readonly matched: string
  /** The text printed so far. */
  readonly printed: () => string
  /** Ends it by SIGTERM. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly stderr: string }>
}

const { HOME, NODE_COMPILE_CACHE, PATH } = process.env
const longestStart = 400_000
const longestLife = 600_000

export const start = async ({ command, env, name, ready }: Example): Promise<Running> => {
  const port = await freePort()
  const dataDirectory = await mkdtemp(join(tmpdir(), "solar-sites-"))
  const child = spawn(process.execPath, ["--conditions=@solar-sites/source", ...command], {
    cwd: fileURLToPath(new URL(`../../${name}`, import.meta.url)),
    env: {
      ...env,
      HOME,
      PATH,
      NODE_COMPILE_CACHE,
      CI: "1",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      DATA_DIR: dataDirectory
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const guard = setTimeout(() => child.kill("SIGKILL"), longestLife)
  let [stdout, stderr] = ["", ""]
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.once("close", (code) => {
      clearTimeout(guard)
      void rm(dataDirectory, { recursive: true, force: true }).then(() => resolve({ code, stderr }))
    })
  )
  const tooLate = setTimeout(() => child.kill("SIGTERM"), longestStart)
  const matched = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
      const match = ready.exec(stdout)
      if (match !== null) resolve(match[1] ?? "")
    })
    void ended.then(({ code }) => reject(new Error(`${name} ended (${code}) before it was ready: ${stdout}${stderr}`)))
  })
  clearTimeout(tooLate)
  const stop = () => {
    child.kill("SIGTERM")
    return ended
  }
  return { address: `http://127.0.0.1:${port}`, matched, printed: () => stdout, stop }
}
