import { defineConfig } from "vitest/config"
import { project } from "./vitest.shared.ts"

export default defineConfig({
  test: {
    projects: [
      "packages/*",
      "apps/*",
      "benchmarks",
      "docs",
      "examples/requests",
      project("scripts", { include: ["scripts/*.test.ts"] })
    ],
    maxWorkers: 2
  }
})
