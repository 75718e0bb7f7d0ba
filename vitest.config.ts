import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { project } from "./vitest.shared.ts"

// Files that mostly wait for timeouts.
const waiting = /\/UnreadAnswers\.integration\.test\.ts$/

/**
 * Starts waiting files first in their group: other files use the cores meanwhile. Vitest would
 * start larger files first, and the waiting ones would run alone at the end.
 */
class WaitingFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const waits = ({ moduleId }: TestSpecification) => waiting.test(moduleId)
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))]
  }
}

// A configured sequencer replaces the one of `--sequence.shuffle.files`.
const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"))

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "benchmarks",
      "docs",
      "examples/requests",
      project("scripts", { include: ["scripts/*.test.ts"] })
    ],
    maxWorkers: 2,
    ...(isShuffled ? {} : { sequence: { sequencer: WaitingFilesFirst } })
  }
})
