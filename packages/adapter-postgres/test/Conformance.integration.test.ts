import {
  apiKeyStoreConformance,
  documentRepositoryConformance,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  runConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { afterAll, beforeAll, describe, it } from "vitest"
import { onPglite, onPostgres, shared, withoutPostgres } from "./Databases.ts"

const adapters = [
  { name: "postgres", skip: withoutPostgres, database: shared(onPostgres()) },
  {
    name: "postgres with unnamed statements",
    skip: withoutPostgres,
    database: shared(onPostgres({ pooler: "transaction" }))
  },
  { name: "pglite", skip: false, database: shared(onPglite()) }
]

for (const { database, name, skip } of adapters) {
  describe.skipIf(skip)(name, () => {
    beforeAll(() => database.open())
    afterAll(() => database.close())

    const adapter = { name, layer: database.layer }
    runConformance({ describe, it }, organisationRepositoryConformance, adapter)
    runConformance({ describe, it }, siteRepositoryConformance, adapter)
    runConformance({ describe, it }, portfolioRepositoryConformance, adapter)
    runConformance({ describe, it }, documentRepositoryConformance, adapter)
    runConformance({ describe, it }, apiKeyStoreConformance, adapter)
  })
}
