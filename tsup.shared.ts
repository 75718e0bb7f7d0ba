/**
 * Build of the packages: one ES module per entry point of `package.json`, with shared chunks. tsc
 * makes the declarations.
 */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
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

/**
 * Replaces `import { Effect } from "effect"` by an import of `effect/Effect`: the entry points of
 * effect load all its modules. Line numbers stay, for the source maps.
 */
export const withModulesOfEffect = (source: string): string =>
  source.replace(/^import \{([^}]*)\} from "(effect(?:\/[a-z-]+)?)"$/gm, (statement, names: string, entry: string) => {
    const imports = names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => {
        const [module = name, alias = module] = name.split(" as ")
        // The functions that the root of effect exports, such as `flow`, are of its module
        // Function.
        if (/^[a-z]/.test(module)) return `import { ${name} } from "effect/Function";`
        return `import * as ${alias} from "${entry}/${module}";`
      })
    return `${imports.join(" ")}${statement.replace(/[^\n]/g, "")}`
  })

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

const modulesOfEffect: Plugin = {
  name: "modules of effect",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: withModulesOfEffect(await readFile(path, "utf8")),
      loader: "ts"
    }))
}

/** Leaves a package out of the build: its exports are undefined. */
export const leavingOut = (name: string, exports: ReadonlyArray<string>): Plugin => ({
  name: `without ${name}`,
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "left out" }))
    onLoad({ filter: /.*/, namespace: "left out" }, () => ({
      contents: exports.map((one) => `export const ${one} = undefined`).join("\n")
    }))
  }
})

export const library = ({ esbuildPlugins = [], ...options }: Options = {}) =>
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
    esbuildPlugins: [modulesOfEffect, ...esbuildPlugins],
    ...options
  })
