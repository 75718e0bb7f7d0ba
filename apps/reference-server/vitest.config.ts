import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("reference-server", {
    // One server of each kind per run, found or started by the tests of the adapters.
    globalSetup: [
      "../../packages/adapter-postgres/test/postgres.globalSetup.ts",
      "../../packages/adapter-redis/test/redis.globalSetup.ts",
      "../../packages/adapter-s3/test/rgw.globalSetup.ts",
      "test/prepared.globalSetup.ts",
      "test/bundle.globalSetup.ts"
    ]
  })
)
