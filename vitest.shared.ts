/**
 * What the test projects have in common: packages resolve to their sources, so
 * that tests need no build; tests have time for a machine that is busy elsewhere.
 */
import type { TestProjectInlineConfiguration } from "vitest/config"

const conditions = ["@solar-sites/source"]

export const project = (
  name: string,
  test: NonNullable<TestProjectInlineConfiguration["test"]> = {}
): TestProjectInlineConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  // Two at a time also where vitest would run one: much of the time is waiting for services and processes.
  test: { name, include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, maxWorkers: 2, ...test }
})
