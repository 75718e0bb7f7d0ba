import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { project } from "./vitest.shared.ts"
import { keepTemporaryFilesInMemory } from "./vitest.temporary.ts"

keepTemporaryFilesInMemory()

// Small files with many tests. Without the durations of an earlier run, files start by size.
const longest = /\/test\/(Citus|PgBouncer)\.integration\.test\.ts$/
const long = /\/Conformance\.(pglite\.)?integration\.test\.ts$/

// Files that mostly wait for timeouts and servers. One worker runs them while others run the longest
// files, which use both cores. At the end of the run they would leave cores idle.
const waiting =
  /\/(StorageEvents|PgClient|faults\/(Citus|Failover|Kills|MixedAnswers|OwnServer|Vanished))(\.integration)?\.test\.ts$/

// Projects with many short files: with these last, all workers end at about the same time.
const lastProjects = ["http-node", "testing", "core"]

/** The longest files, waiting and long ones, then the projects by name, larger files first, then `lastProjects`. */
class LongestFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const position = ({ moduleId, project }: TestSpecification) => {
      const first = [longest, waiting, long].findIndex((files) => files.test(moduleId))
      return first >= 0 ? first - 4 : lastProjects.indexOf(project.name)
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
      "examples/sqlite",
      project("scripts", { include: ["scripts/*.test.ts"] })
    ],
    maxWorkers: 3,
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFilesFirst } })
  }
})
