/**
 * Folder of the built console. A package contains it. A checkout builds it when it
 * is missing or older than its sources.
 */
import { spawn } from "node:child_process"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Data, Effect } from "effect"

/** `output` is that of the build command. */
export class BuildFailed extends Data.TaggedError("BuildFailed")<{ readonly output: string }> {
  override get message(): string {
    return `the build failed: ${this.output.trim()}`
  }
}

const isCheckout = import.meta.url.endsWith(".ts")
const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const project = beside("../../../../console")
const built = join(project, "dist")
const cache = join(project, "node_modules/.cache")
const unfinished = join(cache, "console-dist")
const lock = join(cache, "console-build.lock")

// The console bundles only the client of the packages; contract and models are types there.
const sources = [
  ...["src", "public", "index.html", "package.json", "vite.config.ts", "build.ts", "inLanguage.ts"].map((name) =>
    join(project, name)
  ),
  beside("../../../../../packages/http-node/src/client")
]

const absent = () => undefined

/** Last change of a file, or of the newest file in a folder, in milliseconds; 0 if it is absent. */
const changedAt = async (path: string): Promise<number> => {
  const found = await stat(path).catch(absent)
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.mtimeMs
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
  return Math.max(0, ...(await Promise.all(files.map(async (file) => (await stat(file).catch(absent))?.mtimeMs ?? 0))))
}

const isUpToDate: Effect.Effect<boolean> = Effect.promise(async () => {
  const [target, ...changes] = await Promise.all([join(built, "en/index.html"), ...sources].map(changedAt))
  return target !== undefined && changes.every((change) => change < target)
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** One of several starting servers builds. Removes the lock of a process that has ended. */
const takeLock: Effect.Effect<boolean> = Effect.promise(async () => {
  await mkdir(cache, { recursive: true })
  const taken = await writeFile(lock, `${process.pid}`, { flag: "wx" }).then(
    () => true,
    () => false
  )
  if (!taken && !isRunning(Number(await readFile(lock, "utf8").catch(() => "0")))) await rm(lock, { force: true })
  return taken
})

const vite: Effect.Effect<void, BuildFailed> = Effect.callback<void, BuildFailed>((resume) => {
  const args = [join(project, "build.ts"), unfinished]
  // Without the settings, which hold secrets.
  const env = { PATH: process.env["PATH"], NODE_ENV: "production", NO_COLOR: "1" }
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  child.once("error", ({ message }) => resume(Effect.fail(new BuildFailed({ output: message }))))
  child.once("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(new BuildFailed({ output }))))
  return Effect.sync(() => void child.kill())
})

const replace: Effect.Effect<void> = Effect.promise(async () => {
  await rm(built, { recursive: true, force: true })
  await rename(unfinished, built)
})

const build = Effect.logInfo("console build started").pipe(
  Effect.andThen(vite),
  Effect.andThen(replace),
  Effect.ensuring(Effect.promise(() => rm(lock, { force: true })))
)

const ensureBuilt: Effect.Effect<void, BuildFailed> = Effect.gen(function* () {
  while (!(yield* isUpToDate)) {
    if (yield* takeLock) return yield* build
    yield* Effect.sleep("500 millis")
  }
})

/** Succeeds once the folder is built. */
export const consoleFolder: Effect.Effect<string, BuildFailed> = isCheckout
  ? Effect.as(ensureBuilt, built)
  : Effect.succeed(join(dirname(fileURLToPath(import.meta.url)), "console"))
