/**
 * Runs tests on sources of which one is changed, without touching a file: Vite transforms the module
 * while Vitest loads it. One Vitest serves all mutants, so a run takes half a second and its tests.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { TestProjectInlineConfiguration } from "vitest/config"
import { createVitest, type TestCase, type TestModule, type TestSpecification } from "vitest/node"
import { runByVite } from "../../../vitest.shared.ts"
import type { Mutant, Suite } from "./Mutant.ts"

/** Name and message of the first failure; undefined when all tests passed. */
type Failure = { readonly test: string; readonly message: string } | undefined

export interface MutantRunner extends AsyncDisposable {
  /** Runs the suite with a mutant, or without one. Throws when the suite has no test. */
  readonly run: (suite: Suite, mutant: Mutant | undefined) => Promise<Failure>
}

const folders: Readonly<Record<string, string>> = { "reference-server": "apps/reference-server", proof: "proof" }

/** In milliseconds. Tests of mutants often wait for what never comes, and pass in a few seconds without. */
const testTimeout = 45_000

const folderOf = (project: string) => folders[project] ?? `packages/${project}`

interface Thrown {
  /** Undefined for a thrown value that is no error. */
  readonly message?: string
  readonly cause?: Thrown
}

/** With those of its causes, of which one is the database's. */
const messageOf = ({ cause, message = "no message" }: Thrown): string =>
  cause === undefined ? message : `${message}: ${messageOf(cause)}`

const failureOf = (module: TestModule): Failure => {
  const named = (test: string, errors: ReadonlyArray<Thrown>): Failure =>
    errors[0] === undefined ? undefined : { test, message: messageOf(errors[0]) }
  const failed = [...module.children.allTests("failed")][0]
  if (failed !== undefined) return named(failed.fullName, failed.result().errors ?? [])
  for (const suite of module.children.allSuites())
    if (suite.errors().length > 0) return named(suite.fullName, suite.errors())
  return named(module.relativeModuleId, module.errors())
}

const hasRun = (test: TestCase) => test.result().state === "passed" || test.result().state === "failed"

/** Opens the projects. Their services start with the first run, and stop at the end. */
export const openRunner = async (projects: ReadonlyArray<string>): Promise<MutantRunner> => {
  let active: Mutant | undefined
  const plugin = {
    name: "mutant",
    enforce: "pre" as const,
    transform: (code: string, id: string) =>
      active !== undefined && id === resolve(active.file)
        ? code.slice(0, active.start) + active.replacement + code.slice(active.end)
        : undefined
  }
  const inline = await Promise.all(
    projects.map(async (project): Promise<TestProjectInlineConfiguration> => {
      const root = resolve(folderOf(project))
      const { default: config } = await import(pathToFileURL(resolve(root, "vitest.config.ts")).href)
      // Cached modules are not transformed, and a changed one must not be cached.
      const test = { ...config.test, ...runByVite, fsModuleCache: false, testTimeout }
      return { ...config, root, plugins: [plugin], test }
    })
  )
  const vitest = await createVitest("test", {
    config: false,
    root: resolve("."),
    projects: inline,
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    bail: 1
  })

  const found = new Map<string, Promise<Array<TestSpecification>>>()
  const specificationsOf = ({ files, project, without = [] }: Suite) => {
    const key = [project, ...files].join()
    const specifications = found.get(key) ?? vitest.globTestSpecifications([...files])
    found.set(key, specifications)
    const isLeftOut = ({ moduleId }: TestSpecification) => without.some((name) => moduleId.includes(`/${name}.test.`))
    return specifications.then((all) => all.filter((one) => one.project.name === project && !isLeftOut(one)))
  }

  const reload = (file: string) => {
    for (const { vite } of vitest.projects) {
      for (const { moduleGraph } of Object.values(vite.environments)) {
        for (const module of moduleGraph.getModulesByFile(resolve(file)) ?? []) moduleGraph.invalidateModule(module)
      }
    }
  }

  return {
    run: async (suite, mutant) => {
      const specifications = await specificationsOf(suite)
      const before = active
      active = mutant
      for (const one of [before, mutant]) if (one !== undefined) reload(one.file)
      if (suite.pattern === undefined) vitest.resetGlobalTestNamePattern()
      else vitest.setGlobalTestNamePattern(suite.pattern)
      // A run returns the results of all files, also of those that only earlier runs had.
      vitest.state.filesMap.clear()
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
      for (const module of testModules) {
        const failure = failureOf(module)
        if (failure !== undefined) return failure
      }
      const [error] = unhandledErrors
      if (error !== undefined) return { test: "unhandled error", message: String(error) }
      if (!testModules.some((module) => [...module.children.allTests()].some(hasRun)))
        throw new Error(`No test in ${suite.project} ${suite.files.join(" ")} ${suite.pattern ?? ""}`)
      return undefined
    },
    [Symbol.asyncDispose]: () => vitest.close()
  }
}
