import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("reference-server", {
    // One server of each kind for the whole run; it is the adapters' business how to find or start them.
    globalSetup: [
      "../../packages/adapter-postgres/test/postgres.globalSetup.ts",
      "../../packages/adapter-s3/test/rgw.globalSetup.ts",
      "test/prepared.globalSetup.ts"
    ],
    // These tests wait for processes more than they work, so two files go side by side, after the other projects.
    maxWorkers: 2,
    sequence: { groupOrder: 1 }
  })
)
