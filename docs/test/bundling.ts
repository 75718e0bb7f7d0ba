/**
 * Bundles the examples with the sources of the packages, once for all of them: a process that loads a bundle needs a
 * third of the processor time of one that loads hundreds of source files.
 */
import { readFile, rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { Example } from "../../scripts/blocks.ts"
import { ownAddresses } from "../../scripts/ownAddresses.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = `${root}docs/.examples.bundled`

/** Dependencies stay as they are installed, but for effect, which is most of the files. */
const externals = async (): Promise<ReadonlyArray<string>> => {
  const { devDependencies } = JSON.parse(await readFile(`${root}docs/package.json`, "utf8"))
  return Object.keys(devDependencies).filter((name) => !/^(effect$|@solar-sites\/)/.test(name))
}

/** Path of the bundle of a file of `docs`. Both are relative to the root. */
export const bundleOf = (path: string): string =>
  path.replace(/^docs\//, "docs/.examples.bundled/").replace(/\.ts$/, ".js")

/** Bundles these examples, and what is loaded before them. */
export const bundleExamples = async (examples: ReadonlyArray<Pick<Example, "path">>): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: [...examples.map(({ path }) => path), "docs/test/answering.ts", "docs/test/serving.ts"],
    outbase: "docs",
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    splitting: true,
    target: "node24",
    conditions: ["@solar-sites/source"],
    external: [...(await externals())],
    // The embedded database is unpacked from an archive of its package, in a third of the time of creating it.
    plugins: [ownAddresses],
    // For CommonJS modules; its name must not be that of an import of a module.
    banner: {
      js: 'import { createRequire as _require } from "node:module"; const require = _require(import.meta.url);'
    },
    logLevel: "error"
  })
}
