import { defineConfig } from "vitest/config"
import { project } from "../vitest.shared.ts"

export default defineConfig(
  project("benchmarks", { globalSetup: "../packages/adapter-postgres/test/postgres.globalSetup.ts" })
)
