import { defineConfig } from "vitest/config"
import { project } from "../vitest.shared.ts"

// Examples run in processes of their own, two at a time.
export default defineConfig(
  project("docs", { globalSetup: "../packages/adapter-postgres/test/postgres.globalSetup.ts", maxConcurrency: 2 })
)
