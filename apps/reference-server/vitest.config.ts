import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("reference-server", {
    // One server of each kind for the whole run; it is the adapters' business how to find or start them.
    globalSetup: [
      "../../packages/adapter-postgres/test/postgres.globalSetup.ts",
      "../../packages/adapter-redis/test/redis.globalSetup.ts",
      "../../packages/adapter-s3/test/rgw.globalSetup.ts",
      "test/prepared.globalSetup.ts"
    ],
    // Several processes for each file, which all want the same cores.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // After the other projects: these tests start processes, which would slow them down.
    sequence: { groupOrder: 1 }
  })
)
