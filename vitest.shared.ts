/**
 * Shared configuration of the test projects. Packages resolve to their sources, so tests need no
 * build. Timeouts end a test that hangs; they allow for a machine on which each step takes ten times as long.
 */
import { fileURLToPath } from "node:url"
import type { TestProjectInlineConfiguration } from "vitest/config"

const conditions = ["@solar-sites/source"]

/** For projects of which Vite transforms modules: mutants. */
export const runByVite = { experimental: { viteModuleRunner: true } }

export const project = (
  name: string,
  test: NonNullable<TestProjectInlineConfiguration["test"]> = {}
): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    include: ["test/**/*.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 100_000 } },
    // Files share workers and modules: loading Effect takes longer than the tests of most files.
    isolate: false,
    // One more than the cores: tests also wait for services, processes and timeouts. One group, so
    // that all projects need the same number.
    maxWorkers: 3,
    // Node runs the sources itself, as the server does. Vite's module runner takes a fifth more processor time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: conditions.map((condition) => `--conditions=${condition}`),
    // Compile cache of Node, for workers and the processes that tests start.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    ...test
  }
})
