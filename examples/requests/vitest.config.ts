import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

export default defineConfig(
  project("examples", {
    // After the packages, beside the reference server: these tests start processes, which would slow the others down.
    sequence: { groupOrder: 1 }
  })
)
