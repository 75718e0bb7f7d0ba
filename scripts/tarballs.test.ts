import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examples, examplesFolder } from "./blocks.ts"
import { publicProjects } from "./run.ts"
import { packed } from "./tarballs/staging.ts"
import { execute } from "./workspaceCopy.ts"

interface PackageJson {
  readonly name: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly engines: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readPackage = (folder: string): PackageJson => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const isOwn = (name: string) => name.startsWith("@solar-sites/")

/** Peer dependencies of the packages, in the versions of the workspace. */
const peers = () =>
  Object.fromEntries(
    publicProjects.map(readPackage).flatMap(({ devDependencies = {}, peerDependencies = {} }) =>
      Object.keys(peerDependencies)
        .filter((name) => !isOwn(name))
        .map((name) => [name, devDependencies[name] ?? "latest"])
    )
  )

/** The oldest supported Node, as an npm package; it exists for some machines only. */
const oldestNode =
  process.platform === "linux" && ["arm64", "x64"].includes(process.arch) ? `node-linux-${process.arch}` : null
const oldestVersion = "22.19.0"
/** A Node that the packages refuse. */
const refused = { name: "node-20", version: "20.19.5" }

const nodes =
  oldestNode === null ? {} : { [oldestNode]: oldestVersion, [refused.name]: `npm:${oldestNode}@${refused.version}` }

const isReachable = await execute(
  "npm",
  ["view", "effect", "version", "--fetch-retries=3", "--fetch-timeout=20000", "--prefer-online"],
  "."
).then(
  () => true,
  () => false
)
if (!isReachable) {
  if (process.env["REQUIRE_SERVICES"] === "1") throw new Error("The tarballs need a package registry to be installed")
  console.warn("The tests of the packed packages are skipped: no package registry can be reached")
}

if (isReachable && oldestNode === null) console.warn("Node 22.19 is not tried: no package has its program for here")

describe.skipIf(!isReachable)("the packages, packed and installed with npm", () => {
  let folder: string
  let installation: string
  const project = () => join(folder, "project")
  const installed = (pattern: string) => globSync(`node_modules/**/${pattern}`, { cwd: project() })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "solar-sites-tarballs-"))
    const tarballs = await packed(folder)
    cpSync("scripts/tarballs/consumer", project(), { recursive: true })
    for (const { code, path, places } of examples()) {
      if (!places.every((place) => /(^|\/)README\.md:/.test(place) && !/^(apps|examples)\//.test(place))) continue
      const copy = join(project(), "readme", path.slice(examplesFolder.length))
      mkdirSync(dirname(copy), { recursive: true })
      writeFileSync(copy, code)
    }
    const own = publicProjects.map((one) => [readPackage(one).name, `file:${tarballs.get(one)}`])
    const dependencies = { ...peers(), ...nodes, ...Object.fromEntries(own), "@types/node": "^24" }
    writeFileSync(join(project(), "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
    const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--ignore-scripts", "--prefer-offline"]
    installation = (await execute("npm", ["install", ...quiet], project())).stderr
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("are installed without warnings about peers, as a valid tree", async () => {
    expect(installation).not.toMatch(/peer|ERESOLVE|EBADENGINE/i)
    await execute("npm", ["ls", "--all"], project())
  })

  it.each(["effect", "@solar-sites/core"])("stand on one copy of %s", (name) => {
    expect(installed(`${name}/package.json`)).toEqual([join("node_modules", name, "package.json")])
  })

  it("contain their licence and those of bundled code", () => {
    for (const { name } of publicProjects.map(readPackage)) {
      expect(readFileSync(join(project(), "node_modules", name, "LICENSE"), "utf8")).toMatch(/^MIT License/)
    }
    const noticesOf = (name: string) =>
      readFileSync(join(project(), "node_modules", name, "THIRD-PARTY-NOTICES.md"), "utf8")
    expect(noticesOf("@solar-sites/adapter-postgres")).toMatch(/postgres 3\.4\.9.*public domain.*PostgreSQL 18/s)
    expect(noticesOf("@solar-sites/http-node")).toMatch(/platform-node 4\.1\.0.*MIT License/s)
  })

  it("contain the patched driver, and need no other", () => {
    const files = installed("@solar-sites/adapter-postgres/dist/*.js")
    const built = files.map((path) => readFileSync(join(project(), path), "utf8")).join("\n")
    expect(built).toMatch(/function nextWrite\(fn\) \{\s*if \(socket === null\)/)
    expect(built).not.toMatch(/\bfrom "postgres"/)
    expect(installed("postgres/package.json")).toEqual([])
  })

  it("contain the prepared database, where the entry point of the embedded database looks for it", () => {
    const folder = join(project(), "node_modules/@solar-sites/adapter-postgres")
    const [, path = ""] =
      /new URL\("([^"]+\.tar\.br)"/.exec(readFileSync(join(folder, "dist/pglite/index.js"), "utf8")) ?? []
    expect(existsSync(join(folder, "dist/pglite", path))).toBe(true)
  })

  it("install no database client that the host has not chosen", () => {
    for (const name of ["redis", "@redis/client", "undici", "ws", "@effect/platform-node"])
      expect(installed(`${name}/package.json`)).toEqual([])
  })

  it("load only the modules of Effect that they use", () => {
    const files = installed("@solar-sites/*/dist/**/*.js")
    expect(files.length).toBeGreaterThanOrEqual(publicProjects.length)
    for (const path of files) {
      expect(readFileSync(join(project(), path), "utf8")).not.toMatch(/\bfrom "effect(\/[a-z-]+)?"/)
    }
  })

  // The compilers of the workspace, which are installed.
  it("are understood by TypeScript 7, libraries included", async () => {
    const compiler = resolve("node_modules/typescript/bin/tsc")
    expect((await execute(process.execPath, [compiler, "--version"], project())).stdout).toMatch(/^Version 7\./)
    await execute(process.execPath, [compiler, "--singleThreaded"], project())
  })

  it("are understood by TypeScript 5, their declarations included", async () => {
    const { stdout } = await execute(process.execPath, [resolve("scripts/tarballs/checkOwn.mjs")], project())
    const [, version, declarations] = /^TypeScript (\d+)\S*: (\d+) declarations/.exec(stdout) ?? []
    expect(version).toBe("5")
    expect(Number(declarations)).toBeGreaterThan(200)
  })

  const entries = publicProjects.map(readPackage).flatMap(({ exports, name }) =>
    Object.keys(exports)
      .filter((entry) => !entry.endsWith(".json"))
      .map((entry) => `${name}${entry.slice(1)}`)
  )

  it("load from every entry point", async () => {
    const program = `await Promise.all(${JSON.stringify(entries)}.map((entry) => import(entry)))`
    await execute(process.execPath, ["--input-type=module", "--eval", program], project())
  })

  const oldest = oldestNode === null ? process.execPath : join("node_modules", oldestNode, "bin", "node")
  const isOldest = oldestNode !== null

  it(`run${isOldest ? " on the oldest Node that they promise" : ""}`, async () => {
    for (const { engines } of publicProjects.map(readPackage)) {
      expect(`${engines["node"]}.0`).toBe(`>=${oldestVersion}`)
    }
    if (isOldest) expect((await execute(oldest, ["--version"], project())).stdout.trim()).toBe(`v${oldestVersion}`)
    expect((await execute(oldest, ["host.ts"], project())).stdout).toMatch(/the host is served/)
    expect((await execute(oldest, ["application.ts"], project())).stdout).toMatch(/fail 0/)
  })

  it.skipIf(!isOldest)("say at every entry point which Node they need, on an older one", async () => {
    const old = join("node_modules", refused.name, "bin", "node")
    const program = `for (const entry of ${JSON.stringify(entries)})
      await import(entry).then(() => console.log("loaded", entry), ({ message }) => console.log(message))`
    const { stdout } = await execute(old, ["--input-type=module", "--eval", program], project())
    const refusal = "Solar Sites needs Node 22.19 or later; this is Node 20.19. Install a newer one."
    expect(stdout.trim().split("\n")).toEqual(entries.map(() => refusal))
  })
})
