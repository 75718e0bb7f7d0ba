/**
 * Runs StrykerJS on a copy of the workspace. It writes its changes into the sources: in its own
 * sandbox, the links between packages would lead to the unchanged ones.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { readRepository } from "../../../scripts/repository.ts"
import { copyWorkspace, execute } from "../../../scripts/workspaceCopy.ts"
import type { RuleArea } from "./rules.table.ts"

/** `name` stays the same while the changed text does. */
export interface RuleMutant {
  readonly name: string
  readonly line: number
  readonly isNoticed: boolean
  /** Whether a test of the area runs the changed text. */
  readonly isReached: boolean
}

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string
        readonly mutants: ReadonlyArray<{
          readonly mutatorName: string
          readonly replacement?: string
          readonly status: string
          readonly location: Record<"start" | "end", { readonly line: number; readonly column: number }>
        }>
      }
    >
  >
}

const packages = ["core", "testing", "http-node", "adapter-filesystem", "adapter-postgres", "adapter-s3"]

/** Unit tests alone, so no project starts a service. */
const vitestConfig = (tests: RuleArea["tests"]) => `
import { defineConfig } from "vitest/config"
import { project } from "./vitest.shared.ts"

const of = (name, include) => ({
  ...project(name, {
    include: include.map((one) => \`test/\${one}.test.ts\`),
    exclude: ["**/*.integration.test.ts"],
    maxWorkers: 1,
    provide: { s3Server: null, postgresUrl: "" }
  }),
  root: \`packages/\${name}\`
})

export default defineConfig({
  test: { projects: Object.entries(${JSON.stringify(tests)}).map(([name, include]) => of(name, include)) }
})
`

const cutOut = (source: string, { end, start }: Report["files"][string]["mutants"][number]["location"]): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, end.column - 1)
  lines[0] = (lines[0] ?? "").slice(start.column - 1)
  return lines.join("\n")
}

const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 120)

// A module that does not load is a runtime error for StrykerJS; its tests fail.
const noticed = ["Killed", "Timeout", "RuntimeError"]

const mutantsOf = ({ files }: Report): ReadonlyArray<RuleMutant> =>
  Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants
      .filter(({ status }) => status !== "Ignored" && status !== "CompileError")
      .map(({ location, mutatorName, replacement = "", status }) => ({
        name: `${file.split("/").at(-1)} ${mutatorName}: ${short(cutOut(source, location))} → ${short(replacement)}`,
        line: location.start.line,
        isNoticed: noticed.includes(status),
        isReached: status !== "NoCoverage"
      }))
  )

/** Each run is complete: the incremental mode of StrykerJS keeps results when tests have changed. */
export const runStryker = async ({ mutate, tests }: RuleArea): Promise<ReadonlyArray<RuleMutant>> => {
  const require = createRequire(import.meta.url)
  const stryker = resolve(require.resolve("@stryker-mutator/core/package.json"), "../bin/stryker.js")
  const copy = mkdtempSync(join(tmpdir(), "solar-sites-mutation-"))
  try {
    const files = [...readRepository().keys()].filter((path) => !path.startsWith("docs/images/"))
    copyWorkspace(
      copy,
      files,
      packages.map((one) => `packages/${one}`)
    )
    writeFileSync(join(copy, "vitest.mutation.config.ts"), vitestConfig(tests))
    const configuration = {
      testRunner: "vitest",
      plugins: [require.resolve("@stryker-mutator/vitest-runner")],
      inPlace: true,
      mutate,
      vitest: { configFile: "vitest.mutation.config.ts", related: false },
      concurrency: 1,
      coverageAnalysis: "perTest",
      // Of a busy machine; an endless loop takes as long.
      timeoutMS: 30_000,
      reporters: ["json"],
      jsonReporter: { fileName: "mutation.json" }
    }
    writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(configuration))
    await execute(process.execPath, [stryker, "run", "stryker.config.json"], copy)
    // The reporter of StrykerJS writes this form.
    const report = JSON.parse(readFileSync(join(copy, "mutation.json"), "utf8")) as Report
    return mutantsOf(report)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
