import {
  documentRepositoryConformance,
  MemoryAdapters,
  MemoryDatabase,
  MemoryDocumentRepository,
  runConformance
} from "@solar-sites/testing"
import { Layer, Scheduler } from "effect"
import { describe, it } from "vitest"

// Both are built over one memory: a layer that stands in two places is built once.
const memory = Layer.merge(
  MemoryAdapters.layer,
  MemoryDocumentRepository.layer.pipe(Layer.provide(MemoryDatabase.layer))
)

runConformance({ describe, it }, documentRepositoryConformance, { name: "memory", layer: memory })

// The yield itself takes two operations: with fewer than three no fiber would ever get on.
const yieldingAlways = Layer.merge(memory, Layer.succeed(Scheduler.MaxOpsBeforeYield, 3))

runConformance({ describe, it }, documentRepositoryConformance, {
  name: "memory, yielding all the time",
  layer: yieldingAlways
})
