import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("console", {
    globalSetup: ["test/console.globalSetup.ts"],
    isolate: true,
    // Each file starts several processes on the same cores.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // After the other projects: a browser and servers are started, which would slow them down.
    sequence: { groupOrder: 2 }
  })
)
