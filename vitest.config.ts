import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { project } from "./vitest.shared.ts"
import { keepTemporaryFilesInMemory } from "./vitest.temporary.ts"

keepTemporaryFilesInMemory()

// Files that mostly wait for timeouts: other files use the cores meanwhile.
const waiting = /\/(UnreadAnswers|Failover)\.integration\.test\.ts$/

// Small files with many tests. Without the durations of an earlier run, files start by size.
const long = /\/(Conformance\.(citus\.|pglite\.)?|PgBouncer\.)integration\.test\.ts$/

// Projects with many short files: with these last, all workers end at about the same time.
const lastProjects = ["http-node", "testing", "core"]

/** Waiting files, long ones, then the projects by name, larger files first, then `lastProjects`. */
class WaitingFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const position = ({ moduleId, project }: TestSpecification) => {
      if (waiting.test(moduleId)) return -3
      return long.test(moduleId) ? -2 : lastProjects.indexOf(project.name)
    }
    return (await super.sort(files)).toSorted((a, b) => position(a) - position(b))
  }
}

// A configured sequencer replaces the one of `--sequence.shuffle.files`.
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"))

// `docs`, `scripts`, `benchmarks` and `proof` are tests of the repository, which `check` runs: see package.json.
export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "benchmarks",
      "proof",
      "docs",
      "examples/requests",
      project("scripts", { include: ["scripts/*.test.ts"] })
    ],
    maxWorkers: 3,
    ...(isShuffled ? {} : { sequence: { sequencer: WaitingFilesFirst } })
  }
})
