import { apiKeyStoreConformance, MemoryAdapters, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"

runConformance({ describe, it }, apiKeyStoreConformance, { name: "memory", layer: MemoryAdapters.layer })
