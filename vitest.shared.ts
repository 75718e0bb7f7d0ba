/**
 * What the test projects have in common: packages resolve to their sources, so
 * that tests need no build.
 */
import type { ViteUserConfig } from "vitest/config"

const conditions = ["@solar-sites/source"]

export const project = (name: string, test: NonNullable<ViteUserConfig["test"]> = {}): ViteUserConfig => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: { name, include: ["test/**/*.test.ts"], ...test }
})
