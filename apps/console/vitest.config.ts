import { defineConfig } from "vitest/config"
import { project, runByVite } from "../../vitest.shared.ts"

export default defineConfig(
  project("console", {
    ...runByVite,
    globalSetup: ["test/console.globalSetup.ts", "../reference-server/test/bundle.globalSetup.ts"]
  })
)
