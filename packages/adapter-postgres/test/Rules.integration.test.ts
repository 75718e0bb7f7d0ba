import { runConformance } from "@solar-sites/testing"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ruleSuites } from "../../testing/test/rules/suites.ts"
import { onPostgres, shared, withoutPostgres } from "./Databases.ts"

/**
 * Concurrent calls meet real locks here. The other cases call one after the other and show what a rule decides, which memory
 * shows as well: `recordsConformance` and random steps show that Postgres stores and reads for rules what memory does.
 */
const concurrent = /concurrent|at the same time|while its|at once/

/** The case about the bound of `recordsConformance`, which fills the largest one there too, costs as much as all others. */
const largestMaximum = /the maximum of pending documents/

describe.skipIf(withoutPostgres)("rules of core on postgres", () => {
  const database = shared(onPostgres())
  beforeAll(() => database.open())
  afterAll(() => database.close())

  for (const { cases, port } of ruleSuites) {
    const chosen = cases.filter(({ name }) => concurrent.test(name) && !largestMaximum.test(name))
    runConformance({ describe, it }, { port, cases: chosen }, { name: "postgres", layer: database.layer })
  }
})
