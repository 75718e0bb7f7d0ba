/**
 * How the packages are built: one ES module per entry point of `package.json`,
 * what they share in chunks. The declarations are made by tsc.
 */
import { readFileSync } from "node:fs"
import { defineConfig, type Options } from "tsup"

interface PackageJson {
  readonly exports?: Readonly<Record<string, string | { readonly "@solar-sites/source"?: string }>>
}

const entryPoints = (): Array<string> => {
  const { exports = {} }: PackageJson = JSON.parse(readFileSync("package.json", "utf8"))
  return Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : (target["@solar-sites/source"] ?? [])
  )
}

export const library = (options: Options = {}) =>
  defineConfig({
    entry: entryPoints(),
    outDir: "dist",
    format: "esm",
    target: "es2024",
    platform: "node",
    removeNodeProtocol: false,
    sourcemap: true,
    clean: true,
    dts: false,
    silent: true,
    ...options
  })
