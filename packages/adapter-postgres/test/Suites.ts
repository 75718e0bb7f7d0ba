import type { PgPorts } from "@solar-sites/adapter-postgres"
import {
  apiKeyStoreConformance,
  documentRepositoryConformance,
  eventRepositoryConformance,
  idempotencyStoreConformance,
  organisationDeletionConformance,
  organisationEventConformance,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  recordsConformance,
  requirementRepositoryConformance,
  runConformance,
  siteRepositoryConformance,
  webhookQueueConformance
} from "@solar-sites/testing"
import type { Layer } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import type { shared } from "./Databases.ts"

/**
 * Every conformance suite of the ports of this package, on one database. `only`: those of the ports
 * that `HostOrganisations` changes.
 */
export const conforms = (
  name: string,
  database: ReturnType<typeof shared>,
  skip: boolean,
  breakDatabase?: () => Layer.Layer<PgPorts>,
  only?: "changed by the host"
): void => {
  describe.skipIf(skip)(name, () => {
    beforeAll(() => database.open())
    afterAll(() => database.close())

    const adapter = { name, layer: database.layer, breakDatabase }
    runConformance({ describe, it }, organisationRepositoryConformance, adapter)
    runConformance({ describe, it }, siteRepositoryConformance, adapter)
    runConformance({ describe, it }, portfolioRepositoryConformance, adapter)
    runConformance({ describe, it }, requirementRepositoryConformance, adapter)
    runConformance({ describe, it }, apiKeyStoreConformance, adapter)
    if (only !== undefined) return
    runConformance({ describe, it }, recordsConformance, adapter)
    runConformance({ describe, it }, organisationDeletionConformance, adapter)
    runConformance({ describe, it }, organisationEventConformance, adapter)
    runConformance({ describe, it }, documentRepositoryConformance, adapter)
    runConformance({ describe, it }, eventRepositoryConformance, adapter)
    runConformance({ describe, it }, idempotencyStoreConformance, adapter)
    runConformance({ describe, it }, webhookQueueConformance, adapter)
  })
}
