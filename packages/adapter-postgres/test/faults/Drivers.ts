/**
 * The driver as we run it, and as it comes from the registry: a copy of the
 * installed one from which our patch has been taken out again.
 */
import { execFile } from "node:child_process"
import { cp } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import { temporaryFolder } from "../Databases.ts"

const installed = join(dirname(createRequire(import.meta.url).resolve("postgres")), "..", "..")
const patch = fileURLToPath(new URL("../../../../patches/postgres@3.4.9.patch", import.meta.url))

const entry = (folder: string) => pathToFileURL(join(folder, "src", "index.js")).href

/** The address of the module. */
export const patched = Effect.succeed(entry(installed))

/** As long as the scope is open. */
export const unpatched = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder, "postgres")
  yield* Effect.promise(async () => {
    await cp(installed, folder, { recursive: true, dereference: true })
    // Git looks for a repository around the folder, and would apply nothing in one.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
    await promisify(execFile)("git", ["apply", "--reverse", patch], { cwd: folder, env })
  })
  return entry(folder)
})
