import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("console", {
    globalSetup: ["test/console.globalSetup.ts", "../reference-server/test/bundle.globalSetup.ts"]
  })
)
