import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

/**
 * Takes a third of the time of the kit: one function of core counts the records of every bound here, and decodes all
 * records of the kind each time. Cases of smaller maxima show that it is called; memory and Postgres run this one.
 */
const largestMaximum = "at most 10000 records"

// Vitest reads the pattern of a project, which its types leave out.
const withoutLargest = {
  globalSetup: "test/leftOut.globalSetup.ts",
  testNamePattern: new RegExp(`^(?!.*${largestMaximum})`)
}

export default defineConfig(project("sqlite", withoutLargest))
