import { existsSync, globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { documentedVariables } from "../OperationsPage.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, "utf8")

/** Instructions with arguments, per stage. */
const stages = read("Dockerfile")
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((stage) =>
    [...stage.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, instruction = "", argument = ""]) => ({ instruction, argument }))
  )
const [build = [], runtime = []] = stages

const argumentsOf = (stage: typeof build, name: string) =>
  stage.filter(({ instruction }) => instruction === name).map(({ argument }) => argument)

const manifests = ["package.json", ...globSync("{packages,apps}/*/package.json", { cwd: root })].map((path) =>
  Object(JSON.parse(read(path)))
)

describe("the Dockerfile", () => {
  it("builds and runs on the Node version of the workspace, in one image that a digest pins", () => {
    const [[built = ""] = [], [run = ""] = []] = stages.map((stage) => argumentsOf(stage, "FROM"))
    expect(run).toMatch(/^node:24-slim@sha256:[0-9a-f]{64}$/)
    expect(built).toBe(`${run} AS build`)
    expect(stages).toHaveLength(2)
    expect(manifests[0]?.devDependencies.node).toBe("^24")
  })

  it("copies existing files that are part of the build context", () => {
    const ignored = read(".dockerignore").trim().split("\n")
    const sources = argumentsOf(build, "COPY").flatMap((argument) => argument.split(" ").slice(0, -1))
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) {
      expect([source, existsSync(`${root}${source}`)]).toEqual([source, true])
      expect(ignored).not.toContain(source)
    }
    for (const folder of ["**/node_modules", "**/dist", ".env", "data"]) expect(ignored).toContain(folder)
    expect(argumentsOf(runtime, "COPY")).toEqual(["--from=build /app /app"])
  })

  it("installs existing packages with a frozen lockfile", () => {
    const commands = argumentsOf(build, "RUN").filter((command) => command.startsWith("pnpm "))
    expect(commands[0]).toContain("install --frozen-lockfile")
    const names = commands.flatMap((command) => [...command.matchAll(/--filter "?([^". ]+)/g)].map(([, name]) => name))
    expect(names).toHaveLength(6)
    for (const name of names) expect(manifests.map((manifest) => manifest.name)).toContain(name)
    const server = manifests.find(({ name }) => name === "@solar-sites/reference-server")
    // The deployment has the packed files, which exclude files ignored by git unless listed.
    expect(server?.files).toContain("dist")
  })

  it("copies the built console to the folder that the server reads, after the server", () => {
    const commands = argumentsOf(build, "RUN")
    const server = commands.findIndex((command) => command.includes("exec tsup"))
    const pages = commands.findIndex((command) =>
      command.includes("vite build --outDir ../reference-server/dist/console")
    )
    expect([server > 0, pages > server]).toEqual([true, true])
    expect(read("apps/reference-server/src/console/pages/ConsoleBuild.ts")).toContain(
      'join(dirname(fileURLToPath(import.meta.url)), "console")'
    )
  })

  it("runs node as an unprivileged user, with a health check", () => {
    expect(argumentsOf(runtime, "USER")).toEqual(["node"])
    expect(argumentsOf(runtime, "VOLUME")).toEqual(["/data"])
    expect(JSON.parse(argumentsOf(runtime, "ENTRYPOINT")[0] ?? "")).toEqual([
      "node",
      "--max-semi-space-size=16",
      "/app/dist/main.js"
    ])
    expect(JSON.parse(argumentsOf(runtime, "CMD")[0] ?? "")).toEqual(["serve"])
    expect(argumentsOf(runtime, "HEALTHCHECK")[0]).toContain("/health/live")
    const variables = new Map(
      (argumentsOf(runtime, "ENV")[0] ?? "").split(" ").map((pair) => [pair.split("=")[0], pair.split("=")[1]])
    )
    expect(variables.get("HOST")).toBe("0.0.0.0")
    expect(variables.get("DATA_DIR")).toBe("/data")
    expect(argumentsOf(runtime, "EXPOSE")).toEqual([variables.get("PORT")])
    for (const name of variables.keys()) expect([...documentedVariables.keys(), "NODE_ENV"]).toContain(name)
  })
})
