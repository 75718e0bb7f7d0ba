import { defineConfig } from "vitest/config"
import { project } from "../vitest.shared.ts"

export default defineConfig(
  project("benchmarks", {
    globalSetup: "../packages/adapter-postgres/test/postgres.globalSetup.ts",
    // After the packages: all contestants are processes, which would slow their tests down.
    sequence: { groupOrder: 2 }
  })
)
