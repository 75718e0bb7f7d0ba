import { MemoryAdapters, organisationRepositoryConformance, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"

runConformance({ describe, it }, organisationRepositoryConformance, { name: "memory", layer: MemoryAdapters.layer })
