import { accessChangesConformance, MemoryAdapters, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"

runConformance({ describe, it }, accessChangesConformance, { name: "in process", layer: MemoryAdapters.layer })
