import { MemoryAdapters, runConformance, siteRepositoryConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"

runConformance({ describe, it }, siteRepositoryConformance, { name: "memory", layer: MemoryAdapters.layer })
