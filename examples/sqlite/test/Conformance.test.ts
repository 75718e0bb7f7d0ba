import "effect/schema/SchemaJITCompiler/enable"
/**
 * The whole kit.
 */

import type { SolarSitesServices } from "@solar-sites/core"
import {
  apiKeyStoreConformance,
  type ConformanceSuite,
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
import { Layer, ManagedRuntime } from "effect"
import { afterAll, describe, it } from "vitest"
import * as Sqlite from "../src/Sqlite.ts"

// One database for all cases. Each of them has organisations of its own.
const runtime = ManagedRuntime.make(Sqlite.layer({ location: ":memory:" }))
afterAll(() => runtime.dispose())

const adapter = {
  name: "sqlite",
  layer: Layer.effectContext(runtime.contextEffect),
  breakDatabase: () => Sqlite.layerWithoutTables
}

const suites: ReadonlyArray<ConformanceSuite<SolarSitesServices.DatabasePorts>> = [
  organisationRepositoryConformance,
  recordsConformance,
  siteRepositoryConformance,
  portfolioRepositoryConformance,
  requirementRepositoryConformance,
  documentRepositoryConformance,
  apiKeyStoreConformance,
  eventRepositoryConformance,
  idempotencyStoreConformance,
  webhookQueueConformance,
  organisationEventConformance,
  organisationDeletionConformance
]
for (const suite of suites) runConformance({ describe, it }, suite, adapter)
