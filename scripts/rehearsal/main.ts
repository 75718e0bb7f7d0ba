/**
 * Rehearses a release of the committed state with a registry on this machine: publishes a version before it and the
 * release, and uses both in an empty project, on each supported Node. Nothing leaves the machine.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { startBackEnd } from "../../docs/test/BackEnd.ts"
import { startEmbedded } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { blocksOf, readPage } from "../blocks.ts"
import { packInto, publicProjects } from "../run.ts"
import { execute } from "../workspaceCopy.ts"
import { startRegistry } from "./Registry.ts"

const previous = "0.0.1"
/** Each is a program of its own in the project: the package `node` has one version only. */
const nodes = ["22.19.0", "24"]
const pnpm = ["-y", "pnpm@10"]

const step = async <A>(title: string, work: () => Promise<A>): Promise<A> => {
  const started = performance.now()
  const result = await work()
  console.log(`${title} (${((performance.now() - started) / 1_000).toFixed(0)} s)`)
  return result
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const setVersion = (workspace: string, version: string) => {
  for (const project of publicProjects) {
    const path = join(workspace, project, "package.json")
    writeFileSync(path, `${JSON.stringify({ ...readJson(path), version }, null, 2)}\n`)
  }
}

/** Builds and packs a clone of the repository as it is; answers the version. */
const packClone = async (workspace: string, folder: string) => {
  await execute("npx", [...pnpm, "build"], workspace)
  mkdirSync(folder)
  return packInto(folder, workspace)
}

/** Two passes of the first example: the second finds the site of the first in the folder of the database. */
const embedded = async (project: string, node: string, data: string, sites: number) => {
  const [block] = blocksOf("docs/embedding.md", readPage("docs/embedding.md")).filter(
    ({ language }) => language === "ts"
  )
  const code = (block?.code ?? "")
    .replaceAll("./data", data)
    .replace('solar.organisations.create({ name: "Meadow Energy" })', "organisation(solar)")
    .replace("await solar.close()", "console.log((await sites.list()).data.length, 'sites')\nawait solar.close()")
  const organisation = `const organisation = async (solar) =>
  (await solar.organisations.list({})).data[0] ?? (await solar.organisations.create({ name: "Meadow Energy" }))
`
  writeFileSync(join(project, "embedded.mts"), organisation.replace("(solar)", "(solar: SolarSites.SolarSites)") + code)
  const { stdout } = await execute(node, ["embedded.mts"], project)
  if (!stdout.includes(`${sites} sites`)) throw new Error(`There are not ${sites} sites:\n${stdout}`)
}

const folder = mkdtempSync(join(tmpdir(), "solar-sites-rehearsal-"))
try {
  const workspace = join(folder, "workspace")
  await step("cloned and installed", async () => {
    await execute("git", ["clone", "--quiet", resolve("."), workspace], folder)
    await execute("npx", [...pnpm, "install", "--frozen-lockfile", "--prefer-offline"], workspace)
  })
  using registry = await step("registry started", () => startRegistry(join(folder, "registry")))
  const publish = async (tarballs: ReadonlyMap<string, string>) => {
    for (const tarball of tarballs.values()) await registry.publish(tarball)
  }

  setVersion(workspace, previous)
  await step(`published ${previous}`, async () => publish(await packClone(workspace, join(folder, "previous"))))
  await execute("git", ["checkout", "--quiet", "."], workspace)
  // Without one, the versions are written already.
  const isWaiting = globSync(".changeset/*.md", { cwd: workspace }).length > 0
  if (isWaiting) await execute("npx", [...pnpm, "exec", "changeset", "version"], workspace)
  const { version } = readJson(join(workspace, "packages/core/package.json"))
  await step(`published ${version}`, async () => publish(await packClone(workspace, join(folder, "release"))))

  const project = join(folder, "project")
  mkdirSync(project)
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const programs = nodes.map((one) => `node-${one}@npm:node-${process.platform}-${process.arch}@${one}`)
  const names = publicProjects.map((one) => `@solar-sites/${one.slice("packages/".length)}`)
  const install = (...wanted: ReadonlyArray<string>) =>
    execute("npm", ["install", "--no-audit", "--no-fund", "--registry", registry.url, ...wanted], project)
  const packages = (wanted: string) => names.map((name) => `${name}@${wanted}`)
  await step(`installed ${previous} into an empty project`, async () => {
    await install("effect@4.1", "@electric-sql/pglite", ...programs)
    await install(...packages(previous))
  })
  const programOf = (node: string) => join(project, "node_modules", `node-${node}`, "bin/node")
  for (const node of nodes) {
    await step(`ran ${previous} on Node ${node}`, () => embedded(project, programOf(node), `./data-${node}`, 1))
  }
  await step(`upgraded to ${version}`, () => install(...packages("latest")))
  const database = await startEmbedded()
  for (const node of nodes) {
    await step(`ran ${version} on Node ${node} with the data of ${previous}`, () =>
      embedded(project, programOf(node), `./data-${node}`, 2)
    )
    await step(`ran the example of the README on Node ${node}`, async () => {
      const place = { folder: project, program: programOf(node), arguments: [] }
      await using backEnd = await startBackEnd("README.md", database.url, `node_${node.split(".")[0]}`, place)
      if ((await fetch(`${backEnd.baseUrl}/api/me`)).status !== 401) throw new Error("The back end does not answer")
    })
  }
  await database.stop()
  console.log(`${version} can be released`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
