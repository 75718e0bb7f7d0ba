import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "tsup"
import { afterAll, beforeAll, expect, it } from "vitest"

// What the README promises, with a little room.
const maximumBytes = 10 * 1024
const maximumZippedBytes = 4.5 * 1024

let folder: string
let bundle: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "solar-sites-client-"))
  await build({
    config: false,
    entry: { client: fileURLToPath(new URL("../src/client/index.ts", import.meta.url)) },
    outDir: folder,
    format: "esm",
    platform: "browser",
    target: "es2022",
    noExternal: [/.*/],
    minify: true,
    dts: false,
    silent: true
  })
  bundle = await readFile(join(folder, "client.js"), "utf8")
})
afterAll(() => rm(folder, { recursive: true }))

it("the bundle for browsers stays small", () => {
  const zipped = gzipSync(bundle, { level: 9 }).length
  console.log(`client for browsers: ${bundle.length} bytes, ${zipped} gzipped`)
  expect(bundle.length).toBeLessThan(maximumBytes)
  expect(zipped).toBeLessThan(maximumZippedBytes)
})

it("the bundle for browsers needs nothing else: no module of Node, no Effect", () => {
  expect(bundle).not.toMatch(/\bimport\b|\brequire\b|node:|\bprocess\b|\bBuffer\b|effect/)
})
