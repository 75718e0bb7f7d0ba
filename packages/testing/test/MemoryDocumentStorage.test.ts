import {
  documentStorageConformance,
  documentStorageMaximumConformance,
  MemoryDocumentStorage,
  runConformance
} from "@solar-sites/testing"
import { describe, it } from "vitest"

for (const suite of [documentStorageConformance, documentStorageMaximumConformance]) {
  runConformance({ describe, it }, suite, { name: "memory", layer: MemoryDocumentStorage.layer })
}
