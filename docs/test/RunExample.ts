/**
 * Runs an example as its reader would: in a process of its own, in an empty
 * folder, with nothing of this process' environment.
 */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Example } from "../../scripts/blocks.ts"
import { bundleOf } from "./bundling.ts"

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { PATH } = process.env
const environment = { PATH, NODE_COMPILE_CACHE: here("../node_modules/.cache/compiled"), NO_COLOR: "1" }

export interface Ran {
  readonly exitCode: number | null
  readonly output: string
}

/**
 * Runs the bundle of the file of this path from the root. One that listens is asked for an
 * answer and ended then; one that needs a key gets one, and a service to call.
 */
export const runExample = async ({ code, path }: Pick<Example, "code" | "path">): Promise<Ran> => {
  const cwd = await mkdtemp(join(tmpdir(), "solar-sites-example-"))
  const before = `docs/test/${code.includes("SOLAR_API_KEY") ? "answering" : "serving"}.ts`
  const args = ["--import", here(`../../${bundleOf(before)}`), here(`../../${bundleOf(path)}`)]
  const child = spawn(process.execPath, args, { cwd, env: { ...environment, HOME: cwd }, timeout: 500_000 })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject)
      child.once("close", (exitCode) => resolve({ exitCode, output }))
    })
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

/** What `console.log(…) // this` says that it prints. */
export const expectedLines = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line = ""]) => line)
