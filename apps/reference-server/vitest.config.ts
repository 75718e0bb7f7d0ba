import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("reference-server", {
    // One Postgres server for the whole run; it is the adapter's business how to find or start it.
    globalSetup: "../../packages/adapter-postgres/test/postgres.globalSetup.ts"
  })
)
