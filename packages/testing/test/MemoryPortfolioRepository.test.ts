import { MemoryAdapters, portfolioRepositoryConformance, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"

runConformance({ describe, it }, portfolioRepositoryConformance, { name: "memory", layer: MemoryAdapters.layer })
