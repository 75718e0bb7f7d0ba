/**
 * Runs StrykerJS on a copy of the workspace. It writes its changes into the sources: in its own
 * sandbox, the links between packages would lead to the unchanged ones.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
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
          readonly statusReason?: string
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
import { project, runByVite } from "./vitest.shared.ts"

const of = (name, include) => ({
  ...project(name, {
    ...runByVite,
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

type Mutated = Report["files"][string]["mutants"][number]

/**
 * A module that does not load is a runtime error for StrykerJS, with the test file that needs it. Throws
 * for any other error, which may be one of the runner.
 */
const isNoticed = ({ status, statusReason = "" }: Mutated): boolean => {
  if (status !== "RuntimeError") return status === "Killed" || status === "Timeout"
  if (!/^An error occurred outside of a test run: \S+\.test\.ts: /.test(statusReason))
    throw new Error(`StrykerJS could not run a mutant: ${statusReason}`)
  return true
}

const mutantsOf = ({ files }: Report): ReadonlyArray<RuleMutant> =>
  Object.entries(files).flatMap(([file, { mutants, source }]) =>
    mutants
      .filter(({ status }) => status !== "Ignored" && status !== "CompileError")
      .map((mutant) => ({
        name: `${file.split("/").at(-1)} ${mutant.mutatorName}: ${short(cutOut(source, mutant.location))} → ${short(mutant.replacement ?? "")}`,
        line: mutant.location.start.line,
        isNoticed: isNoticed(mutant),
        isReached: mutant.status !== "NoCoverage"
      }))
  )

/** A module of which each outcome is known, in the copy only. */
export const control = {
  source: `if (2 < 1) throw new Error("not loaded")
export const isPositive = (value: number): boolean => value > 0
`,
  test: `import { expect, it } from "vitest"
import { isPositive } from "../src/MutationControl.ts"

it("tells one from minus one", () => {
  expect([isPositive(1), isPositive(-1)]).toEqual([true, false])
})
`,
  path: "packages/core/src/MutationControl.ts",
  survivors: [
    "MutationControl.ts ConditionalExpression: 2 < 1 → false",
    "MutationControl.ts EqualityOperator: 2 < 1 → 2 <= 1",
    "MutationControl.ts EqualityOperator: value > 0 → value >= 0",
    'MutationControl.ts StringLiteral: "not loaded" → ""'
  ]
}

/** The mutants without those of the control. Throws when one of the latter has another outcome. */
export const withoutControl = (all: ReadonlyArray<RuleMutant>): ReadonlyArray<RuleMutant> => {
  const isControl = ({ name }: RuleMutant) => name.startsWith("MutationControl.ts ")
  const known = all.filter(isControl)
  const survivors = known.filter(({ isNoticed }) => !isNoticed).map(({ name }) => name)
  if (survivors.toSorted().join("\n") !== control.survivors.join("\n") || known.length === survivors.length)
    throw new Error(`StrykerJS judges a known module wrongly. Not noticed: ${survivors.join("; ") || "none"}`)
  return all.filter((one) => !isControl(one))
}

/** The project of StrykerJS, which is not installed with the workspace. */
const project = fileURLToPath(new URL("../../stryker", import.meta.url))

/** Each run is complete: the incremental mode of StrykerJS keeps results when tests have changed. */
export const runStryker = async ({ mutate, tests }: RuleArea): Promise<ReadonlyArray<RuleMutant>> => {
  await execute("npx", ["-y", "pnpm@10", "--dir", project, "install", "--frozen-lockfile"], project)
  const require = createRequire(join(project, "package.json"))
  const stryker = resolve(require.resolve("@stryker-mutator/core/package.json"), "../bin/stryker.js")
  const copy = mkdtempSync(join(tmpdir(), "solar-sites-mutation-"))
  try {
    const files = [...readRepository().keys()].filter((path) => !path.startsWith("docs/images/"))
    const folders = packages.map((one) => `packages/${one}`)
    copyWorkspace(copy, files, folders)
    writeFileSync(join(copy, control.path), control.source)
    writeFileSync(join(copy, "packages/core/test/MutationControl.test.ts"), control.test)
    const withControl = { ...tests, core: [...(tests["core"] ?? []), "MutationControl"] }
    writeFileSync(join(copy, "vitest.mutation.config.ts"), vitestConfig(withControl))
    const configuration = {
      testRunner: "vitest",
      plugins: [require.resolve("@stryker-mutator/vitest-runner")],
      inPlace: true,
      mutate: [...mutate, control.path],
      vitest: { configFile: "vitest.mutation.config.ts", related: false },
      concurrency: 1,
      coverageAnalysis: "perTest",
      // Enough for a busy machine; an endless loop takes as long.
      timeoutMS: 30_000,
      reporters: ["json"],
      jsonReporter: { fileName: "mutation.json" }
    }
    writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(configuration))
    await execute(process.execPath, [stryker, "run", "stryker.config.json"], copy)
    // The reporter of StrykerJS writes this form.
    const report = JSON.parse(readFileSync(join(copy, "mutation.json"), "utf8")) as Report
    return withoutControl(mutantsOf(report))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
