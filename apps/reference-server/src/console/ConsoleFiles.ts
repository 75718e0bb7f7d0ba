/**
 * Files of the built console, read once at the start. Only these are served, so
 * that a request path never becomes a file path.
 */
import { hash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"

/** Content codings. */
export type Coding = "br" | "gzip" | "identity"

/** `bodies` are compressed on first use. */
export interface Asset {
  readonly contentType: string
  readonly digest: string
  readonly bodies: ReadonlyMap<Coding, Effect.Effect<Uint8Array>>
}

/** `index` is the HTML page; `assets` are keyed by file name. */
export interface ConsoleFiles {
  readonly index: string
  readonly assets: ReadonlyMap<string, Asset>
}

const texts: ReadonlyMap<string, string> = new Map([
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".json", "application/json"],
  [".txt", "text/plain; charset=utf-8"]
])

const binaries: ReadonlyMap<string, string> = new Map([
  [".woff2", "font/woff2"],
  [".woff", "font/woff"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".webp", "image/webp"],
  [".ico", "image/x-icon"]
])

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const toAsset = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
  const extension = extname(name)
  const text = texts.get(extension)
  const codings: ReadonlyArray<readonly [Coding, () => Promise<Uint8Array>]> =
    text === undefined
      ? []
      : [
          ["br", () => brotli(bytes, brotliOptions)],
          ["gzip", () => zip(bytes)]
        ]
  const bodies = new Map<Coding, Effect.Effect<Uint8Array>>([["identity", Effect.succeed(bytes)]])
  for (const [coding, compress] of codings) bodies.set(coding, yield* Effect.cached(Effect.promise(compress)))
  const contentType = text ?? binaries.get(extension) ?? "application/octet-stream"
  return { contentType, digest: hash("sha256", bytes).slice(0, 32), bodies }
})

/** Reads `index.html` and `assets` in the folder; dies if they are missing. */
export const readConsoleFiles: (folder: string) => Effect.Effect<ConsoleFiles> = Effect.fnUntraced(function* (folder) {
  const index = yield* Effect.promise(() => readFile(join(folder, "index.html"), "utf8"))
  const entries = yield* Effect.promise(() => readdir(join(folder, "assets"), { withFileTypes: true }))
  const assets = new Map<string, Asset>()
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    assets.set(name, yield* toAsset(name, yield* Effect.promise(() => readFile(join(folder, "assets", name)))))
  }
  return { index, assets }
})
