/**
 * Bundles the server once per run for the processes that tests start: a bundle needs less than half
 * the processor time of hundreds of source files. Without it, as in watch mode, they run the sources.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { TestProject } from "vitest/node"
import { ownAddresses } from "../../../scripts/ownAddresses.ts"

const app = fileURLToPath(new URL("../", import.meta.url))
const cache = join(app, "node_modules/.cache")

const day = 86_400_000

/** Dependencies stay as they are installed, but for effect, which is most of the files. */
const externals = async (): Promise<ReadonlyArray<string>> => {
  const { dependencies } = JSON.parse(await readFile(join(app, "package.json"), "utf8"))
  return Object.keys(dependencies).filter((name) => !/^(effect$|@effect\/|@solar-sites\/)/.test(name))
}

/** Bundles of earlier sources, which no run uses any more. */
const removeOld = async (): Promise<void> => {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name)
    const { mtimeMs } = await stat(folder)
    if (name.startsWith("server-") && mtimeMs < Date.now() - day) await rm(folder, { recursive: true, force: true })
  }
}

/** The folder of a bundle has the name of its contents, so that runs at the same time share it. */
const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(app, "src/main.mjs")],
    bundle: true,
    write: false,
    outdir: cache,
    platform: "node",
    format: "esm",
    splitting: true,
    target: "node24",
    conditions: ["@solar-sites/source"],
    external: [...(await externals())],
    plugins: [ownAddresses],
    // For CommonJS modules; its name must not be that of an import of a module.
    banner: {
      js: 'import { createRequire as _require } from "node:module"; const require = _require(import.meta.url);'
    },
    logLevel: "error"
  })
  const digest = createHash("sha256")
  for (const { contents } of outputFiles) digest.update(contents)
  const folder = join(cache, `server-${digest.digest("hex").slice(0, 16)}`)
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    await mkdir(unfinished, { recursive: true })
    await removeOld().catch(() => {})
    await Promise.all(outputFiles.map(({ contents, path }) => writeFile(join(unfinished, basename(path)), contents)))
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  }
  return join(folder, "main.js")
}

declare global {
  // Vitest loads this module once per project.
  var serverBundle: Promise<string> | undefined
}

/** Processes that start from now on run the bundle. */
export const useBundle = async (): Promise<void> => {
  globalThis.serverBundle ??= bundle()
  process.env["SOLAR_SITES_BUNDLE"] = await globalThis.serverBundle
}

export default async function setup({ vitest }: TestProject): Promise<void> {
  if (!vitest.config.watch) await useBundle()
}
