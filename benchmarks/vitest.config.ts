import { defineConfig } from "vitest/config"
import { project } from "../vitest.shared.ts"

export default defineConfig(
  project("benchmarks", {
    globalSetup: "../packages/adapter-postgres/test/postgres.globalSetup.ts",
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // After the packages: all contestants are processes, which would slow their tests down.
    sequence: { groupOrder: 2 }
  })
)
