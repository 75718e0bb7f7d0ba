import { idempotencyStoreConformance, MemoryAdapters, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"
import { yieldingAlways } from "./yielding.ts"

runConformance({ describe, it }, idempotencyStoreConformance, { name: "memory", layer: MemoryAdapters.layer })
runConformance({ describe, it }, idempotencyStoreConformance, yieldingAlways)
