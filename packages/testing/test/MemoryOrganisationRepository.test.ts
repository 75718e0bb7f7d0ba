import {
  MemoryAdapters,
  organisationDeletionConformance,
  organisationEventConformance,
  organisationRepositoryConformance,
  runConformance
} from "@solar-sites/testing"
import { describe, it } from "vitest"
import { yieldingAlways } from "./yielding.ts"

for (const adapter of [{ name: "memory", layer: MemoryAdapters.layer }, yieldingAlways]) {
  runConformance({ describe, it }, organisationRepositoryConformance, adapter)
  runConformance({ describe, it }, organisationDeletionConformance, adapter)
  runConformance({ describe, it }, organisationEventConformance, adapter)
}
