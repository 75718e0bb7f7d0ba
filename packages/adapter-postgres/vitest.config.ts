import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(project("adapter-postgres", { globalSetup: "test/postgres.globalSetup.ts" }))
