import { MemoryAdapters, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"
import { ruleSuites } from "./suites.ts"

for (const suite of ruleSuites) runConformance({ describe, it }, suite, { name: "memory", layer: MemoryAdapters.layer })
