import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(project("adapter-s3", { globalSetup: "test/rgw.globalSetup.ts" }))
