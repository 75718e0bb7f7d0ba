/**
 * Sizes of the built and packed packages and of the client for browsers, compared with the limits.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "tsup"
import { packInto } from "./run.ts"
import { budgets, clientBudget, consoleBudget } from "./sizes.table.ts"

const kilobyte = 1024

export interface Size {
  readonly name: string
  /** In kB. A figure without a limit is not compared. */
  readonly measured: Readonly<Record<string, number>>
  readonly budget: Readonly<Record<string, number>> | undefined
}

const zippedLength = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length

/** JavaScript of a built folder, each file gzipped by itself, as servers send it. */
const sizeOfBuild = (project: string): { readonly javascript: number; readonly gzipped: number } => {
  const files = globSync(`${project}/dist/**/*.js`).map((path) => readFileSync(path))
  const sum = (lengthOf: (file: Buffer) => number) =>
    files.reduce((total, file) => total + lengthOf(file), 0) / kilobyte
  return { javascript: sum((file) => file.length), gzipped: sum(zippedLength) }
}

/** The client with its dependencies, minified for browsers. */
export const bundleClient = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-client-"))
  try {
    await build({
      config: false,
      entry: { client: fileURLToPath(new URL("../packages/http-node/src/client/index.ts", import.meta.url)) },
      outDir: folder,
      format: "esm",
      platform: "browser",
      target: "es2022",
      noExternal: [/.*/],
      minify: true,
      dts: false,
      silent: true
    })
    return readFileSync(join(folder, "client.js"), "utf8")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const sizeOfClient = (bundle: string): Size => ({
  name: "client for browsers",
  measured: { javascript: Buffer.byteLength(bundle) / kilobyte, gzipped: zippedLength(bundle) / kilobyte },
  budget: { ...clientBudget }
})

/** Scripts that the page of the console names, in each language, of a build in this folder. */
export const sizesOfConsole = (folder: string): ReadonlyArray<Size> =>
  globSync(`${folder}/*/index.html`).map((page) => {
    const scripts = [...readFileSync(page, "utf8").matchAll(/assets\/[\w-]+\.js/g)].map(([path]) => path)
    const gzipped = scripts.reduce((sum, path) => sum + zippedLength(readFileSync(join(page, "..", path))), 0)
    return {
      name: `first page, ${basename(join(page, ".."))}`,
      measured: { gzipped: gzipped / kilobyte },
      budget: { ...consoleBudget }
    }
  })

/** Packs the public packages, so everything must be built. */
export const sizesOf = async (projects: ReadonlyArray<string>): Promise<ReadonlyArray<Size>> => {
  const folder = mkdtempSync(join(tmpdir(), "solar-sites-packed-"))
  try {
    const tarballs = packInto(folder)
    const packages = projects.map((name): Size => {
      const tarball = tarballs.get(name)
      const packed = tarball === undefined ? {} : { packed: statSync(tarball).size / kilobyte }
      const budget = budgets[name]
      return { name, measured: { ...sizeOfBuild(name), ...packed }, budget: budget && { ...budget } }
    })
    const pages = sizesOfConsole("apps/reference-server/dist/console")
    return [...packages, ...pages, sizeOfClient(await bundleClient())]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** One line with each figure and its share of the limit. */
export const lineOf = ({ budget, measured, name }: Size): string =>
  Object.entries(measured)
    .reduce((line, [what, size]) => {
      const most = budget?.[what]
      const share = most === undefined ? "" : `${Math.ceil((100 * size) / most)}%`
      return `${line}${size.toFixed(1).padStart(8)} kB ${what}${share.padStart(5)}`
    }, name.padEnd(28))
    .trimEnd()

/** One sentence per figure above its limit, and per public package without a limit. */
export const faultsOf = (sizes: ReadonlyArray<Size>): ReadonlyArray<string> =>
  sizes.flatMap(({ budget, measured, name }) => {
    if (budget === undefined) return measured["packed"] === undefined ? [] : [`${name}: has no row in sizes.table.ts`]
    return Object.entries(measured)
      .filter(([what, size]) => size > (budget[what] ?? Number.POSITIVE_INFINITY))
      .map(([what, size]) => `${name}: ${size.toFixed(1)} kB ${what} are more than the ${budget[what]} kB it may have`)
  })
