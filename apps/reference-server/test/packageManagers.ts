/**
 * Substitute for npm, npx and pnpm in examples: checks that packages, scripts and
 * files exist, and runs the command line of the server.
 */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

interface Manifest {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const root = fileURLToPath(new URL("../../../", import.meta.url))
const manifestAt = (path: string): Manifest => JSON.parse(readFileSync(`${root}${path}`, "utf8"))
const workspace = new Map(
  globSync("{packages,apps,examples}/*/package.json", { cwd: root })
    .concat(["docs/package.json", "benchmarks/package.json"].filter((path) => existsSync(`${root}${path}`)))
    .map((path) => [manifestAt(path).name, { ...manifestAt(path), folder: path.replace(/package\.json$/, "") }])
)
const known = (name: string) =>
  [...workspace.values()].some(
    ({ dependencies, devDependencies, peerDependencies }) =>
      name in { ...dependencies, ...devDependencies, ...peerDependencies }
  )

/** The name of a package without its version, such as `effect@4.1`. */
const nameOf = (given: string): string => given.replace(/(?<=.)@[\d.]{1,20}$/, "")

/** `npm install`: known names, with all peer dependencies unless installed before. */
const install = (args: ReadonlyArray<string>) => {
  const list = "installed.txt"
  const before = existsSync(list) ? readFileSync(list, "utf8").split("\n") : []
  const names = [...before, ...args.filter((name) => name !== "" && !name.startsWith("-")).map(nameOf)]
  writeFileSync(list, names.join("\n"))
  for (const name of names) {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = workspace.get(name) ?? {}
    assert.ok(workspace.has(name) || known(name), `${name} is used by nothing here`)
    for (const peer of Object.keys(peerDependencies)) {
      assert.ok(names.includes(peer) || peerDependenciesMeta[peer]?.optional, `${name} needs ${peer}`)
    }
  }
}

/** Runs the command line on the database of the example, from the bundle of a test run. */
const solarSites = (args: ReadonlyArray<string>) => {
  const main = process.env["SOLAR_SITES_BUNDLE"] ?? `${root}apps/reference-server/src/main.mjs`
  const given = args.map((argument) => (argument === "ID" ? (process.env["ORGANISATION"] ?? "") : argument))
  // As in SolarSitesProcess.ts.
  const flags = ["--conditions=@solar-sites/source", "--liftoff-only"]
  const { status } = spawnSync(process.execPath, [...flags, main, ...given], { stdio: "inherit" })
  process.exitCode = status ?? 1
}

/** `pnpm exec`: an installed program and existing files. */
const execute = ([program = "", ...args]: ReadonlyArray<string>, folder: string) => {
  const bin = (at: string) => existsSync(`${root}${at}node_modules/.bin/${program}`)
  assert.ok(bin("") || bin(folder), `${program} is not installed`)
  for (const file of args.filter((name) => /\.(ts|json)$/.test(name)))
    assert.ok(existsSync(`${root}${folder}${file}`), `${file} is missing`)
}

const ofPackage = ([name = "", script = "", ...args]: ReadonlyArray<string>) => {
  const found = workspace.get(name) ?? assert.fail(`there is no package ${name}`)
  if (script === "exec") execute(args, found.folder)
  else assert.ok(found.scripts?.[script], `${name} has no script ${script}`)
}

const pnpm = (given: ReadonlyArray<string>) => {
  const [verb = "", ...args] = given.filter((argument) => argument !== "--silent")
  if (verb === "solar-sites") solarSites(args)
  else if (verb === "exec") execute(args, "")
  else if (verb === "--filter") ofPackage(args)
  else assert.ok(verb === "install" || manifestAt("package.json").scripts?.[verb], `there is no script ${verb}`)
}

const [name, verb, ...args] = process.argv.slice(2)
if (name === "npm" && verb === "install") install(args)
else if (name === "pnpm") pnpm([...(verb === undefined ? [] : [verb]), ...args])
else if (name === "npx" && verb === "-y" && args[0] === "pnpm@10") pnpm(args.slice(1))
else if (name === "npx" && verb === "--offline" && args.slice(0, 2).join(" ") === "-y pnpm@10") pnpm(args.slice(2))
else assert.fail(`${[name, verb, ...args].join(" ")} has no substitute`)
