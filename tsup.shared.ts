/**
 * Build of the packages: one ES module per entry point of `package.json`, with shared chunks. tsc
 * makes the declarations.
 */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { defineConfig, type Options } from "tsup"

interface PackageJson {
  readonly engines?: { readonly node?: string }
  readonly exports?: Readonly<Record<string, string | { readonly "@solar-sites/source"?: string }>>
}

const readPackage = (): PackageJson => JSON.parse(readFileSync("package.json", "utf8"))

const entryPoints = (): Array<string> => {
  const { exports = {} } = readPackage()
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

/**
 * A statement in front of every module that throws on a Node older than `engines`. Without it, an older Node
 * fails at a function that it lacks. Browsers have no version of Node.
 */
export const nodeCheck = (engines = ""): string => {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines) ?? []
  if (major === undefined) return ""
  const isOlder = `a<${major}||a===${major}&&b<${minor}`
  const message = `Solar Sites needs Node ${major}.${minor} or later; this is Node \${a}.\${b}. Install a newer one.`
  return `{const[a,b]=(globalThis.process?.versions?.node??"${major}.${minor}").split(".").map(Number);if(${isOlder})throw new Error(\`${message}\`)}`
}

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
    banner: { js: nodeCheck(readPackage().engines?.node) },
    esbuildPlugins: [modulesOfEffect, ...esbuildPlugins],
    ...options
  })
