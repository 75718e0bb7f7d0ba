import { MemoryAdapters, runConformance, webhookQueueConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"
import { yieldingAlways } from "./yielding.ts"

for (const adapter of [{ name: "memory", layer: MemoryAdapters.layer }, yieldingAlways]) {
  runConformance({ describe, it }, webhookQueueConformance, adapter)
}
