import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("examples", {
    isolate: true,
    // After the packages, since processes of these tests would slow those down.
    sequence: { groupOrder: 1 },
    // As the reference server, which is in the same group.
    maxWorkers: 3
  })
)
