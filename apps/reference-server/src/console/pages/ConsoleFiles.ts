/**
 * Files of the built console, read once at the start. Only these are served, so
 * that a request path never becomes a file path.
 */
import { readdir, readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import { sharedDocument } from "@solar-sites/http-node"
import { Effect } from "effect"
import { fallbackLanguage } from "../Language.ts"

/** Answers a request for a file by its headers. */
type Asset = Effect.Success<ReturnType<typeof sharedDocument>>

/** `pages` are the HTML page by language, English first; `assets` of all languages are keyed by file name. */
export interface ConsoleFiles {
  readonly pages: ReadonlyMap<string, string>
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

// The name of an asset changes with its content.
const headers = { "cache-control": "public, max-age=31536000, immutable" }

const toAsset = (name: string, bytes: Uint8Array): Effect.Effect<Asset> => {
  const text = texts.get(extname(name))
  const contentType = text ?? binaries.get(extname(name)) ?? "application/octet-stream"
  return sharedDocument(bytes, { contentType, headers, isCompressed: text === undefined })
}

/**
 * Reads `index.html` and `assets` in the folder of each language; dies if they are missing. Languages
 * share the assets without texts: a file name stands for its content.
 */
export const readConsoleFiles: (folder: string) => Effect.Effect<ConsoleFiles> = Effect.fnUntraced(function* (folder) {
  const found = yield* Effect.promise(() => readdir(folder))
  const pages = new Map<string, string>()
  const assets = new Map<string, Asset>()
  for (const language of new Set([fallbackLanguage, ...found])) {
    const build = join(folder, language)
    pages.set(language, yield* Effect.promise(() => readFile(join(build, "index.html"), "utf8")))
    const entries = yield* Effect.promise(() => readdir(join(build, "assets"), { withFileTypes: true }))
    for (const { name } of entries.filter((entry) => entry.isFile() && !assets.has(entry.name))) {
      assets.set(name, yield* toAsset(name, yield* Effect.promise(() => readFile(join(build, "assets", name)))))
    }
  }
  return { pages, assets }
})
