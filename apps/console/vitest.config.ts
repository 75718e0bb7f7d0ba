import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("console", {
    globalSetup: ["test/console.globalSetup.ts"],
    // Each file starts several processes on the same cores.
    hookTimeout: 300_000,
    // As the reference server, in the same group: its tests wait while these use the cores.
    sequence: { groupOrder: 1 },
    maxWorkers: 3
  })
)
