import { runConformance } from "@solar-sites/testing"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ruleSuites } from "../../testing/test/rules/suites.ts"
import { onPostgres, shared, withoutPostgres } from "./Databases.ts"

describe.skipIf(withoutPostgres)("rules of core on postgres", () => {
  const database = shared(onPostgres())
  beforeAll(() => database.open())
  afterAll(() => database.close())

  for (const suite of ruleSuites) runConformance({ describe, it }, suite, { name: "postgres", layer: database.layer })
})
