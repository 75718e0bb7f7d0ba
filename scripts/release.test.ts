import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { repositoryOf, withRepository } from "./release.ts"
import { publicProjects } from "./run.ts"

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: ReadonlyArray<Step>
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))
const readWorkflow = (name: string): Workflow => parse(readFileSync(`.github/workflows/${name}.yml`, "utf8"))
const workflows = globSync("*.{yml,yaml}", { cwd: ".github/workflows" }).map((path) => path.replace(/\.ya?ml$/, ""))
const actionsOf = (name: string) =>
  Object.values(readWorkflow(name).jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))

describe("the workflows", () => {
  it.each(workflows)("%s uses the platform's own actions, each pinned by its commit", (name) => {
    expect(actionsOf(name).length).toBeGreaterThan(0)
    for (const action of actionsOf(name)) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
  })

  it("get updates of what is pinned", () => {
    const { updates }: { updates: ReadonlyArray<Record<string, string>> } = parse(
      readFileSync(".github/dependabot.yml", "utf8")
    )
    expect(updates.map((update) => update["package-ecosystem"])).toEqual([
      "github-actions",
      "docker",
      "npm",
      "npm",
      "npm",
      "npm"
    ])
  })

  it("use one version of each action", () => {
    const versions = new Set(workflows.flatMap(actionsOf))
    expect(new Set([...versions].map((action) => action.replace(/@.*/, ""))).size).toBe(versions.size)
  })

  it.each(["ci", "release"])("%s installs Citus, and fails when the dependencies cannot be audited", (name) => {
    const steps = Object.values(readWorkflow(name).jobs).flatMap((job) => job.steps)
    const at = steps.findIndex(({ run }) => run === ".ci/run")
    expect(steps[at]?.env).toEqual({ REQUIRE_AUDIT: "1" })
    expect(steps[at - 1]?.run).toBe(".ci/citus")
  })

  it("publish what was checked, with provenance, by a job that builds nothing", () => {
    const { jobs, permissions } = readWorkflow("release")
    expect(permissions).toEqual({ contents: "read" })
    expect(jobs["pack"]?.permissions).toBeUndefined()
    const commands = jobs["pack"]?.steps.flatMap(({ run }) => run ?? [])
    expect(commands).toEqual([".ci/citus", ".ci/run", "npx -y pnpm@10 release"])
    const { needs, permissions: rights, steps = [] } = jobs["publish"] ?? {}
    expect({ needs, rights }).toEqual({ needs: "pack", rights: { "id-token": "write" } })
    const published = steps.flatMap(({ run }) => run ?? []).join("\n")
    expect(published).toContain('npm publish "./$tarball" --ignore-scripts --provenance')
    const withIdentity = Object.values(jobs).filter((job) => job.permissions?.["id-token"] !== undefined)
    expect(withIdentity).toEqual([jobs["publish"]])
  })

  it("add the SBOM to a release", () => {
    const [step] =
      readWorkflow("release")
        .jobs["tag"]?.steps.filter(({ run }) => run !== undefined)
        .slice(-1) ?? []
    expect(step?.run).toContain('gh release upload "v$version" release/sbom.cdx.json')
  })

  it("install and fetch no code in jobs with permissions", () => {
    for (const { permissions, steps } of Object.values(readWorkflow("release").jobs)) {
      if (permissions === undefined) continue
      const commands = steps.flatMap(({ run }) => run ?? []).join("\n")
      expect(commands).not.toMatch(/\bnpx\b|\bpnpm\b|npm (ci|install|exec)|\.ci\/run/)
    }
  })

  it("give the token of the repository to the step that pushes tags, and to no other", () => {
    const { jobs } = readWorkflow("release")
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    const holders = steps.filter(({ env }) => Object.values(env ?? {}).some((value) => value.includes("token")))
    expect(holders.map(({ run }) => run)).toEqual([expect.stringContaining("push origin --tags")])
    for (const { uses, with: options } of steps) {
      if (uses?.startsWith("actions/checkout@")) expect(options).toEqual({ "persist-credentials": false })
    }
    const writing = Object.values(jobs).filter(({ permissions }) => permissions?.["contents"] === "write")
    expect(writing).toEqual([jobs["tag"]])
  })
})

describe("changesets", () => {
  it("give one version to every public package, and change no other but the server", () => {
    const { fixed, ignore }: { fixed: ReadonlyArray<ReadonlyArray<string>>; ignore: ReadonlyArray<string> } =
      readJson(".changeset/config.json")
    const fits = (patterns: ReadonlyArray<string>, name: string) =>
      patterns.some((pattern) => new RegExp(`^${pattern.replace("*", ".*")}$`).test(name))
    expect(fixed).toHaveLength(1)
    const manifests = globSync(["{packages,apps,examples}/*/package.json", "{docs,proof}/package.json"])
    for (const { name, private: isPrivate } of manifests.map(readJson)) {
      const isVersioned = isPrivate !== true || name === "@solar-sites/reference-server"
      expect([name, fits(fixed[0] ?? [], name), fits(ignore, name)]).toEqual([name, isVersioned, !isVersioned])
    }
  })
})

describe("a published package", () => {
  it.each(publicProjects)("%s says what it is and where it runs", (project) => {
    const manifest = readJson(`${project}/package.json`)
    expect(manifest).toMatchObject({
      license: "MIT",
      type: "module",
      sideEffects: false,
      engines: { node: ">=22.19" }
    })
    expect(manifest.description).toMatch(/^.{20,140}\.$/)
    expect(manifest.keywords).toEqual(expect.arrayContaining(["solar", "effect"]))
    // npm adds the README and the licence by itself.
    expect(manifest.files).toContain("CHANGELOG.md")
    expect(manifest.dependencies ?? {}).not.toHaveProperty("effect")
    expect(manifest.peerDependencies["effect"]).toMatch(/^[~^]4\.1\.0$/)
  })

  it("has the version that the API description names", () => {
    const [, version] =
      /version: "(.+)"/.exec(readFileSync("packages/http-node/src/contract/SolarSitesApi.ts", "utf8")) ?? []
    for (const project of publicProjects) expect(readJson(`${project}/package.json`).version).toBe(version)
  })

  it("names its repository when a workflow packs it, unless it does so itself", () => {
    const repository = repositoryOf({ GITHUB_SERVER_URL: "https://git.test", GITHUB_REPOSITORY: "sun/sites" })
    expect(repository).toEqual({ url: "https://git.test/sun/sites" })
    const manifest = '{ "name": "core", "bugs": "https://bugs.test" }'
    expect(JSON.parse(withRepository(manifest, "packages/core", { url: "https://git.test/sun/sites" }))).toEqual({
      name: "core",
      bugs: "https://bugs.test",
      homepage: "https://git.test/sun/sites/tree/main/packages/core#readme",
      repository: { type: "git", url: "git+https://git.test/sun/sites.git", directory: "packages/core" }
    })
    expect(repositoryOf({})).toBeUndefined()
  })
})
